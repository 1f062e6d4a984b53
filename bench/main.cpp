// Our side of the side-by-side runs: reads the name of a work and a number of repetitions a line,
// answers with seconds of processor time a repetition. `growth` tells how cost grows.

#include "works.hpp"

#include <rootdk/version.hpp>

#include <Eigen/Core>
#include <nlohmann/json.hpp>

#include <exception>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

namespace {

using nlohmann::json;
using namespace rootdk;

json describe() {
  return {
      {"name", "rootdk"},
      {"version", kVersion},
      {"compiler", kCompiler},
      {"flags", kFlags},
      {"blas", "Eigen " + std::to_string(EIGEN_WORLD_VERSION) + "." +
                   std::to_string(EIGEN_MAJOR_VERSION) + "." + std::to_string(EIGEN_MINOR_VERSION)},
      {"kernels", Eigen::SimdInstructionSetsInUse()},
      {"threads", 1}};
}

json growth() {
  json all = json::array();
  for (const bench::Growth& g : bench::growth()) {
    all.push_back({{"name", g.name},
                   {"x_name", g.x_name},
                   {"y_name", g.y_name},
                   {"expected_slope", g.expected_slope},
                   {"x", g.x},
                   {"y", g.y}});
  }
  return all;
}

json timed(const std::string& name, int repetitions) {
  static std::map<std::string, std::function<double()>> prepared;
  if (!prepared.contains(name)) {
    for (const bench::Work& work : bench::works()) {
      if (work.name == name) prepared[name] = work.prepare();
    }
    if (!prepared.contains(name)) return {{"error", "there is no work '" + name + "'"}};
    prepared[name]();  // pages, caches and plans, once
  }
  double value = 0;
  const double start = bench::processor_seconds();
  for (int i = 0; i < repetitions; ++i) value = prepared[name]();
  const double seconds = bench::processor_seconds() - start;
  return {{"seconds", seconds / repetitions}, {"value", value}};
}

json answer(const std::string& line) {
  std::istringstream words(line);
  std::string name;
  int repetitions = 1;
  words >> name >> repetitions;
  try {
    if (name == "describe") return describe();
    if (name == "growth") return growth();
    return timed(name, repetitions);
  } catch (const std::exception& error) {
    return {{"error", error.what()}};
  }
}

}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) std::cout << answer(line).dump() << std::endl;
}
