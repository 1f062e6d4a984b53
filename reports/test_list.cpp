#include <rootdk/reports/fields.hpp>
#include <rootdk/reports/test_list.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace rootdk::reports {
namespace {

template <class T>
concept Plain = std::is_trivially_copyable_v<T>;

struct Encoder {
  std::string& bytes;
  template <Plain T>
  void field(const char*, const T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void field(const char* name, const std::string& value) {
    field(name, value.size());
    bytes += value;
  }
};

struct Decoder {
  std::string_view& bytes;
  template <Plain T>
  void field(const char*, T& value) {
    std::memcpy(&value, bytes.data(), sizeof value);
    bytes.remove_prefix(sizeof value);
  }
  void field(const char* name, std::string& value) {
    std::size_t size = 0;
    field(name, size);
    value = bytes.substr(0, size);
    bytes.remove_prefix(size);
  }
};

}  // namespace

Spool::Spool() : file_(std::tmpfile()) {
  // No business of a subject in another process.
  if (file_ != nullptr) fcntl(fileno(file_.get()), F_SETFD, FD_CLOEXEC);
}

std::optional<std::int64_t> Spool::append(std::string_view bytes) {
  if (file_ == nullptr) return std::nullopt;
  const std::int64_t offset = end_.fetch_add(static_cast<std::int64_t>(bytes.size()));
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t written = pwrite(fileno(file_.get()), bytes.data() + done, bytes.size() - done,
                                   offset + static_cast<std::int64_t>(done));
    if (written <= 0) return std::nullopt;
    done += static_cast<std::size_t>(written);
  }
  return offset;
}

std::string Spool::read(std::int64_t offset, std::size_t size) const {
  std::string bytes(size, '\0');
  std::size_t done = 0;
  while (done < size) {
    const ssize_t seen = pread(fileno(file_.get()), bytes.data() + done, size - done,
                               offset + static_cast<std::int64_t>(done));
    if (seen <= 0) throw std::runtime_error("cannot read the temporary file of the tests");
    done += static_cast<std::size_t>(seen);
  }
  return bytes;
}

TestList::Iterator& TestList::Iterator::operator++() {
  if (--left_ == 0) return *this;
  Decoder decoder{bytes_};
  fields(decoder, test_);
  return *this;
}

TestList::TestList(std::initializer_list<TestRecord> tests) {
  for (const TestRecord& test : tests) push_back(test);
}

TestList::TestList(const std::vector<TestRecord>& tests) {
  for (const TestRecord& test : tests) push_back(test);
}

void TestList::push_back(const TestRecord& test) {
  if (file_ != nullptr) *this = TestList(all());
  Encoder encoder{bytes_};
  fields(encoder, test);
  ++size_;
}

void TestList::spool(const std::shared_ptr<Spool>& file) {
  if (file_ != nullptr || bytes_.empty()) return;
  const std::optional<std::int64_t> offset = file->append(bytes_);
  if (!offset) return;
  file_ = file;
  offset_ = *offset;
  length_ = bytes_.size();
  std::string().swap(bytes_);  // an assignment would keep the memory
}

TestList::Iterator TestList::begin() const {
  Iterator at;
  if (empty()) return at;
  if (file_ != nullptr) {
    at.loaded_ = std::make_shared<const std::string>(file_->read(offset_, length_));
  }
  at.bytes_ = at.loaded_ ? *at.loaded_ : bytes_;
  at.left_ = size_ + 1;
  return ++at;
}

std::vector<TestRecord> TestList::all() const {
  std::vector<TestRecord> tests;
  tests.reserve(size_);
  for (const TestRecord& test : *this) tests.push_back(test);
  return tests;
}

}  // namespace rootdk::reports
