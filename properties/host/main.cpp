// Serves a shared library with the C interface of rootdk_subject.h over the protocol of
// docs/subject-protocol.md: `rootdk-host PATH.so`.
//
// Each output stands between guards and is filled with NaN beforehand; inputs are compared with a copy
// afterwards; each call is made twice and must give the same bits.

#include <rootdk/properties/subjects/rootdk_subject.h>
#include <rootdk/properties/subjects/protocol.hpp>

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstring>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Json = nlohmann::json;
using namespace rootdk;

// A NaN in every dtype, which no arithmetic gives.
constexpr std::byte kPoison{0xFF};
constexpr std::byte kGuard{0xA5};
constexpr std::size_t kGuardBytes = 64;

/// The memory of one tensor, adjacent, between two guards.
class Guarded {
 public:
  explicit Guarded(const Json& layout) {
    tensor_.dtype = dtype_named(layout.at("dtype").get<std::string>());
    tensor_.shape = layout.at("shape").get<std::array<std::int64_t, 4>>();
    const auto& s = tensor_.shape;
    tensor_.stride = {s[1] * s[2] * s[3], s[2] * s[3], s[3], 1};
    count_ = protocol::byte_count(tensor_);
    memory_.assign(count_ + 2 * kGuardBytes, kGuard);
    std::memset(data(), static_cast<int>(kPoison), count_);
    tensor_.data = data();
  }
  std::byte* data() { return memory_.data() + kGuardBytes; }
  std::size_t count() const { return count_; }
  const Tensor& tensor() const { return tensor_; }
  bool guards_hold() const {
    for (std::size_t i = 0; i < kGuardBytes; ++i) {
      if (memory_[i] != kGuard || memory_[memory_.size() - 1 - i] != kGuard) return false;
    }
    return true;
  }
  /// Number of the first scalar that still holds the poison, or −1.
  std::int64_t first_untouched() const {
    const std::size_t scalar = size_of(tensor_.dtype);
    for (std::size_t i = 0; i < count_; i += scalar) {
      bool untouched = true;
      for (std::size_t j = 0; j < scalar; ++j) {
        untouched = untouched && memory_[kGuardBytes + i + j] == kPoison;
      }
      if (untouched) return static_cast<std::int64_t>(i / scalar);
    }
    return -1;
  }
  const std::vector<std::byte>& memory() const { return memory_; }
  rootdk_tensor c_tensor() {
    rootdk_tensor result{.data = data(), .dtype = static_cast<int32_t>(tensor_.dtype)};
    for (std::size_t d = 0; d < 4; ++d) {
      result.shape[d] = tensor_.shape[d];
      result.stride[d] = tensor_.stride[d];
    }
    return result;
  }

 private:
  Tensor tensor_;
  std::size_t count_ = 0;
  std::vector<std::byte> memory_;
};

const rootdk_subject* load(const char* path) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  void* symbol = dlsym(library, "rootdk_subject_get");
  if (symbol == nullptr) {
    throw std::runtime_error(fmt::format("{} has no symbol rootdk_subject_get", path));
  }
  const rootdk_subject* (*get)() = nullptr;
  std::memcpy(&get, &symbol, sizeof get);
  const rootdk_subject* subject = get();
  if (subject == nullptr || subject->version != ROOTDK_SUBJECT_VERSION ||
      subject->size < sizeof(rootdk_subject)) {
    throw std::runtime_error(fmt::format("{} has version {} of the interface, this host {}", path,
                                         subject == nullptr ? 0 : subject->version,
                                         ROOTDK_SUBJECT_VERSION));
  }
  return subject;
}

Json header(const rootdk_subject& subject) {
  Json kernels = Json::array();
  for (int64_t i = 0; i < subject.kernel_count; ++i) {
    const rootdk_kernel& kernel = subject.kernels[i];
    kernels.push_back({{"op", kernel.op},
                       {"pass", kernel.pass == ROOTDK_BACKWARD ? "backward" : "forward"},
                       {"dtypes", {name(static_cast<Dtype>(kernel.dtype))}}});
  }
  Json masks = Json::array({"none"});
  if ((subject.capabilities & ROOTDK_CAN_CAUSAL) != 0) masks.push_back("causal");
  if ((subject.capabilities & ROOTDK_CAN_PADDING) != 0) masks.push_back("padding");
  Json layouts = Json::array({"rows"});
  if ((subject.capabilities & ROOTDK_CAN_BATCH) != 0) layouts.push_back("batch");
  Json schemes = Json::array();
  std::string all = subject.schemes == nullptr ? "" : subject.schemes;
  while (!all.empty()) {
    const std::size_t comma = all.find(',');
    schemes.push_back(all.substr(0, comma));
    all.erase(0, comma == std::string::npos ? all.size() : comma + 1);
  }
  return {{"protocol", protocol::kVersion},
          {"name", subject.name},
          {"kernels", kernels},
          {"masks", masks},
          {"layouts", layouts},
          {"schemes", schemes}};
}

rootdk_attributes c_attributes(const Attributes& a) {
  rootdk_attributes c{};
  c.size = sizeof c;
  c.scheme = a.scheme.data();
  c.initialiser = a.initialiser.data();
  c.activation = a.activation.data();
  c.heads = a.heads;
  c.layer = a.layer;
  c.d_model = a.d_model;
  c.causal = a.causal ? 1 : 0;
  c.key_lengths = a.key_lengths.empty() ? nullptr : a.key_lengths.data();
  c.key_lengths_count = static_cast<int64_t>(a.key_lengths.size());
  c.epsilon = a.epsilon;
  c.slope = a.slope;
  c.gain = a.gain;
  c.fan_in = a.fan_in;
  c.fan_out = a.fan_out;
  c.d_k = a.d_k;
  c.branches = a.branches;
  c.seed = a.seed;
  c.recipe = a.recipe.data();
  c.role = a.role.data();
  c.vocabulary = a.vocabulary;
  c.shards = a.shards;
  c.shard = a.shard;
  c.words = a.words.empty() ? nullptr : a.words.data();
  c.words_count = static_cast<int64_t>(a.words.size());
  c.labels = a.labels.empty() ? nullptr : a.labels.data();
  c.labels_count = static_cast<int64_t>(a.labels.size());
  return c;
}

const rootdk_kernel& find(const rootdk_subject& subject, const Json& message) {
  const std::string op = message.at("op");
  const bool backward = message.at("pass") == "backward";
  const Dtype dtype = dtype_named(message.at("out").at(0).at("dtype").get<std::string>());
  for (int64_t i = 0; i < subject.kernel_count; ++i) {
    const rootdk_kernel& kernel = subject.kernels[i];
    if (op == kernel.op && backward == (kernel.pass == ROOTDK_BACKWARD) &&
        static_cast<int>(dtype) == kernel.dtype) {
      return kernel;
    }
  }
  throw std::runtime_error(fmt::format("has no {} in {}", op, name(dtype)));
}

std::string last_error(const rootdk_subject& subject, const std::string& otherwise) {
  const char* text = subject.last_error == nullptr ? nullptr : subject.last_error();
  return text == nullptr ? otherwise : text;
}

void run(const rootdk_subject& subject, const rootdk_kernel& kernel, const rootdk_attributes& c,
         std::vector<Guarded>& in, std::vector<Guarded>& out) {
  std::vector<rootdk_tensor> inputs;
  std::vector<rootdk_tensor> outputs;
  std::vector<std::vector<std::byte>> before;
  for (Guarded& tensor : in) {
    inputs.push_back(tensor.c_tensor());
    before.push_back(tensor.memory());
  }
  for (Guarded& tensor : out) outputs.push_back(tensor.c_tensor());
  const int code = kernel.run(&c, inputs.data(), static_cast<int32_t>(inputs.size()),
                              outputs.data(), static_cast<int32_t>(outputs.size()));
  if (code == ROOTDK_NOT_APPLICABLE) throw NotApplicable(last_error(subject, "such operation"));
  if (code != 0) throw std::runtime_error(last_error(subject, fmt::format("returned {}", code)));
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (in[i].memory() != before[i]) {
      throw std::runtime_error(fmt::format("changed its input {}", i));
    }
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!out[i].guards_hold()) {
      throw std::runtime_error(fmt::format("wrote outside its output {}", i));
    }
    const std::int64_t place = out[i].first_untouched();
    if (place >= 0) {
      throw std::runtime_error(fmt::format("left output {} uninitialised at scalar {}", i, place));
    }
  }
}

/// Answers one message; the result's bytes are appended to `result`.
void serve(const rootdk_subject& subject, const Json& message, std::vector<std::byte>& result) {
  std::vector<Guarded> in;
  for (const Json& layout : message.at("in")) {
    Guarded& tensor = in.emplace_back(layout);
    std::cin.read(reinterpret_cast<char*>(tensor.data()),
                  static_cast<std::streamsize>(tensor.count()));
  }
  const auto received = protocol::attributes_from(message.at("attributes"));
  const Attributes attributes = received.view();
  const rootdk_attributes c = c_attributes(attributes);
  const rootdk_kernel& kernel = find(subject, message);
  std::vector<Guarded> out;
  std::vector<Guarded> again;
  for (const Json& layout : message.at("out")) {
    out.emplace_back(layout);
    again.emplace_back(layout);
  }
  run(subject, kernel, c, in, out);
  run(subject, kernel, c, in, again);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i].memory() != again[i].memory()) {
      throw std::runtime_error(fmt::format("gave other bits in output {} when called again", i));
    }
    result.insert(result.end(), out[i].data(), out[i].data() + out[i].count());
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: rootdk-host PATH.so\n";
    return 2;
  }
  try {
    const rootdk_subject* subject = load(argv[1]);
    std::cout << header(*subject).dump() << std::endl;
    std::string line;
    while (std::getline(std::cin, line)) {
      const Json message = Json::parse(line);
      std::vector<std::byte> result;
      Json answer;
      try {
        serve(*subject, message, result);
        answer = {{"bytes", result.size()}};
      } catch (const NotApplicable& lacking) {
        answer = {{"not_applicable", lacking.what()}};
      } catch (const std::exception& error) {
        result.clear();
        answer = {{"error", error.what()}};
      }
      std::cout << answer.dump() << '\n';
      std::cout.write(reinterpret_cast<const char*>(result.data()),
                      static_cast<std::streamsize>(result.size()));
      std::cout.flush();
    }
  } catch (const std::exception& error) {
    // The reason stands in the header's place, so that the command can say it.
    std::cout << Json{{"error", error.what()}}.dump() << std::endl;
    return 2;
  }
  return 0;
}
