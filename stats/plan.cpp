#include <rootdk/stats/plan.hpp>

#include <algorithm>
#include <cmath>

namespace rootdk::stats {

Plan make_plan(const Law& law, const Budget& budget, double nu_first) {
  Plan plan{.law = law, .budget = budget, .looks = {}, .per_look = budget};
  const std::size_t most = single_look(law) ? 1 : kMaxLooks;
  for (std::size_t looks = most; looks >= 1; --looks) {
    const auto count = static_cast<double>(looks);
    plan.per_look.alpha = budget.alpha / count;
    plan.per_look.beta = budget.beta / count;
    const double nu_max = samples(law, plan.per_look);
    if (looks > 1 && nu_max * std::exp2(-(count - 1) / 2) < nu_first) continue;
    for (std::size_t k = 1; k <= looks; ++k) {
      const double steps = static_cast<double>(looks - k);
      plan.looks.push_back(std::ceil(nu_max * std::exp2(-steps / 2)));
    }
    break;
  }
  plan.looks.back() = std::max(plan.looks.back(), std::ceil(nu_first));
  return plan;
}

LookResult judge(const Plan& plan, const Evidence& evidence, std::size_t look) {
  LookResult result{.decision = Decision::go_on,
                    .finding = test(plan.law, evidence, plan.per_look)};
  if (result.finding.refuted) {
    result.decision = Decision::refuted;
  } else if (result.finding.equivalent) {
    result.decision = Decision::verified;
  } else if (look + 1 >= plan.looks.size()) {
    result.decision = Decision::undecided;
  }
  return result;
}

}  // namespace rootdk::stats
