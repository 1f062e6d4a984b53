#include <rootdk/properties/subjects/process.hpp>
#include <rootdk/properties/subjects/protocol.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <utility>

extern char** environ;  // NOLINT: POSIX

namespace rootdk {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::json;

/// Thrown when the child can no longer be used; says why.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One child with a pipe to its standard input and one from its standard output.
class Child {
 public:
  explicit Child(const std::string& command) {
    int to[2];
    int from[2];
    if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) {
      throw Failure(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    // A group of its own, so that what the shell starts is ended with it, and Ctrl-C is ours alone.
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    std::string shell = "/bin/sh";
    std::string flag = "-c";
    std::string line = command;
    char* arguments[] = {shell.data(), flag.data(), line.data(), nullptr};
    const int error = posix_spawn(&pid_, "/bin/sh", &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(to[0]);
    close(from[1]);
    in_ = to[1];
    out_ = from[0];
    fcntl(in_, F_SETFL, O_NONBLOCK);
    fcntl(out_, F_SETFL, O_NONBLOCK);
    if (error != 0) throw Failure(fmt::format("cannot be started: {}", std::strerror(error)));
  }

  ~Child() {
    if (in_ >= 0) close(in_);
    if (out_ >= 0) close(out_);
    if (pid_ <= 0 || ended_) return;
    kill(-pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void write(std::span<const std::byte> bytes, Clock::time_point deadline) {
    while (!bytes.empty()) {
      wait_for(in_, POLLOUT, deadline);
      const ssize_t n = ::write(in_, bytes.data(), bytes.size());
      if (n < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      if (n < 0) throw Failure(how_it_ended(deadline));
      bytes = bytes.subspan(static_cast<std::size_t>(n));
    }
  }

  std::string read_line(Clock::time_point deadline) {
    constexpr std::size_t longest = std::size_t{1} << 20;
    for (;;) {
      const auto end = std::find(buffer_.begin(), buffer_.end(), std::byte{'\n'});
      if (end != buffer_.end()) {
        std::string line(reinterpret_cast<const char*>(buffer_.data()),
                         static_cast<std::size_t>(end - buffer_.begin()));
        buffer_.erase(buffer_.begin(), end + 1);
        return line;
      }
      if (buffer_.size() > longest) throw Failure("answers without a line of JSON");
      receive(deadline);
    }
  }

  std::vector<std::byte> read_bytes(std::size_t count, Clock::time_point deadline) {
    while (buffer_.size() < count) receive(deadline);
    std::vector<std::byte> result(buffer_.begin(),
                                  buffer_.begin() + static_cast<std::ptrdiff_t>(count));
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(count));
    return result;
  }

 private:
  void wait_for(int file, short events, Clock::time_point deadline) const {
    for (;;) {
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
      if (left <= 0) throw Failure("gave no answer in time");
      pollfd wait{.fd = file, .events = events, .revents = 0};
      const int ready = poll(&wait, 1, static_cast<int>(std::min<long long>(left, 1000)));
      if (ready > 0) return;
      if (ready < 0 && errno != EINTR) throw Failure(std::strerror(errno));
    }
  }

  void receive(Clock::time_point deadline) {
    wait_for(out_, POLLIN, deadline);
    std::byte chunk[1 << 16];
    const ssize_t n = ::read(out_, chunk, sizeof chunk);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n <= 0) throw Failure(how_it_ended(deadline));
    buffer_.insert(buffer_.end(), chunk, chunk + n);
  }

  /// The pipe is closed: the signal or the exit code of the child.
  std::string how_it_ended(Clock::time_point deadline) {
    int status = 0;
    while (waitpid(pid_, &status, WNOHANG) == 0) {
      if (Clock::now() > deadline) return "closed its output and went on";
      poll(nullptr, 0, 5);
    }
    ended_ = true;
    if (WIFSIGNALED(status)) {
      return fmt::format("was ended by signal {} ({})", WTERMSIG(status),
                         strsignal(WTERMSIG(status)));
    }
    // A shell reports the signal of the command that it ran as 128 + its number.
    const int code = WEXITSTATUS(status);
    if (code > 128 && code < 160) {
      return fmt::format("was ended by signal {} ({})", code - 128, strsignal(code - 128));
    }
    return fmt::format("ended with exit code {}", code);
  }

  pid_t pid_ = -1;
  int in_ = -1;
  int out_ = -1;
  bool ended_ = false;
  std::vector<std::byte> buffer_;
};

/// What the header declares.
struct Header {
  std::string name;
  std::set<std::string> schemes;
  bool causal = false;
  bool padding = false;
  bool batch = false;
  std::vector<Key> kernels;
};

Header parse_header(const std::string& line) {
  const Json json = Json::parse(line);
  if (json.contains("error")) throw Failure("says: " + json["error"].get<std::string>());
  const std::string version = json.value("protocol", "");
  if (version != protocol::kVersion) {
    throw Failure(
        fmt::format("speaks '{}', this command speaks '{}'", version, protocol::kVersion));
  }
  Header header;
  header.name = json.at("name").get<std::string>();
  for (const Json& scheme : json.value("schemes", Json::array())) header.schemes.insert(scheme);
  for (const Json& mask : json.value("masks", Json::array())) {
    header.causal = header.causal || mask == "causal";
    header.padding = header.padding || mask == "padding";
  }
  for (const Json& layout : json.value("layouts", Json::array())) {
    header.batch = header.batch || layout == "batch";
  }
  for (const Json& kernel : json.at("kernels")) {
    for (const Json& dtype : kernel.at("dtypes")) {
      header.kernels.push_back(
          {.op = kernel.at("op"),
           .pass = kernel.at("pass") == "backward" ? Pass::backward : Pass::forward,
           .dtype = dtype_named(dtype.get<std::string>())});
    }
  }
  return header;
}

/// The children of one command; a call takes an idle one or starts one.
class Pool {
 public:
  Pool(std::string command, ProcessLimits limits) : command_(std::move(command)), limits_(limits) {
    // A child that ends early must not end us.
    signal(SIGPIPE, SIG_IGN);
    auto [child, header] = start();
    header_ = std::move(header);
    idle_.push_back(std::move(child));
  }

  const Header& header() const { return header_; }

  void call(const Key& key, const Attributes& attributes, std::span<const Tensor> in,
            std::span<const Tensor> out) {
    require_declared(key, attributes, out);
    std::unique_ptr<Child> child = take();
    try {
      exchange(*child, key, attributes, in, out);
    } catch (const NotApplicable&) {  // an answer like any other: the child goes on
      give_back(std::move(child));
      throw;
    } catch (const Failure& failure) {
      throw std::runtime_error(fmt::format("subject '{}' {} in {} {} ({})", header_.name,
                                           failure.what(), key.op, protocol::name(key.pass),
                                           rootdk::name(key.dtype)));
    }
    give_back(std::move(child));
  }

 private:
  std::pair<std::unique_ptr<Child>, Header> start() const {
    auto child = std::make_unique<Child>(command_);
    Header header = parse_header(child->read_line(Clock::now() + limits_.start));
    return {std::move(child), std::move(header)};
  }

  std::unique_ptr<Child> take() {
    {
      const std::scoped_lock lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<Child> child = std::move(idle_.back());
        idle_.pop_back();
        return child;
      }
    }
    return start().first;
  }

  void give_back(std::unique_ptr<Child> child) {
    const std::scoped_lock lock(mutex_);
    idle_.push_back(std::move(child));
  }

  void require_declared(const Key& key, const Attributes& a, std::span<const Tensor> out) const {
    const auto lacks = [](const std::string& what) {
      return NotApplicable("subject has no " + what);
    };
    const bool scored = key.op == "scores" || key.op == "attention";
    if (scored && !header_.schemes.contains(std::string(a.scheme))) {
      throw lacks(fmt::format("scheme {}", a.scheme));
    }
    if (a.causal && !header_.causal) throw lacks("causal mask");
    if (!a.key_lengths.empty() && !header_.padding) throw lacks("padding mask");
    if (out[0].shape[0] * out[0].shape[1] > 1 && !header_.batch) throw lacks("batches or heads");
  }

  void exchange(Child& child, const Key& key, const Attributes& attributes,
                std::span<const Tensor> in, std::span<const Tensor> out) const {
    const auto deadline = Clock::now() + limits_.call;
    const Json message{{"op", key.op},
                       {"pass", protocol::name(key.pass)},
                       {"attributes", protocol::to_json(attributes)},
                       {"in", protocol::layouts(in)},
                       {"out", protocol::layouts(out)}};
    const std::string line = message.dump() + "\n";
    const auto* begin = reinterpret_cast<const std::byte*>(line.data());
    std::vector<std::byte> bytes(begin, begin + line.size());
    for (const Tensor& tensor : in) protocol::append_bytes(bytes, tensor);
    child.write(bytes, deadline);

    std::size_t expected = 0;
    for (const Tensor& tensor : out) expected += protocol::byte_count(tensor);
    const std::string answer = child.read_line(deadline);
    Json json;
    try {
      json = Json::parse(answer);
    } catch (const Json::exception&) {
      throw Failure(fmt::format("answers '{:.60}', no JSON,", answer));
    }
    if (json.contains("not_applicable")) {
      throw NotApplicable("subject has no " + json["not_applicable"].get<std::string>());
    }
    if (json.contains("error")) throw Failure("says: " + json["error"].get<std::string>());
    const auto given = json.value("bytes", std::size_t{0});
    if (given != expected) {
      throw Failure(fmt::format("answers with {} bytes of {}", given, expected));
    }
    const std::vector<std::byte> result = child.read_bytes(expected, deadline);
    std::size_t at = 0;
    for (const Tensor& tensor : out) {
      const std::size_t count = protocol::byte_count(tensor);
      protocol::from_bytes(std::span(result).subspan(at, count), tensor);
      at += count;
    }
  }

  std::string command_;
  ProcessLimits limits_;
  Header header_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Child>> idle_;
};

}  // namespace

namespace {

Subject started(const std::string& name, const std::string& command, const ProcessLimits& limits) {
  try {
    const auto pool = std::make_shared<Pool>(command, limits);
    Subject subject(name);
    for (const Key& key : pool->header().kernels) {
      subject.set(
          key, [pool, key](const Attributes& attributes, std::span<const Tensor> in,
                           std::span<const Tensor> out) { pool->call(key, attributes, in, out); });
    }
    return subject;
  } catch (const Failure& failure) {
    throw std::invalid_argument(fmt::format("subject '{}' {}", name, failure.what()));
  } catch (const std::exception&) {  // no JSON, a field that is missing, an unknown dtype
    throw std::invalid_argument(fmt::format("subject '{}' gives no valid header", name));
  }
}

}  // namespace

Subject process_subject(const std::string& command, const ProcessLimits& limits) {
  return started(command, command, limits);
}

Subject shared_library_subject(const std::string& path, const ProcessLimits& limits) {
  namespace fs = std::filesystem;
  if (!fs::exists(path)) throw std::invalid_argument(fmt::format("subject '{}' is no file", path));
  const fs::path host = fs::read_symlink("/proc/self/exe").parent_path() / "rootdk-host";
  const auto quoted = [](std::string text) {
    for (std::size_t i = 0; (i = text.find('\'', i)) != std::string::npos; i += 4) {
      text.replace(i, 1, "'\\''");
    }
    return "'" + text + "'";
  };
  return started(path, fmt::format("exec {} {}", quoted(host), quoted(fs::absolute(path))), limits);
}

}  // namespace rootdk
