#pragma once

#include <rootdk/reports/test_record.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rootdk::reports {

/// An unnamed temporary file, gone with its last user. Any number of threads may append and read.
class Spool {
 public:
  Spool();

  /// Where the bytes lie from now on, or nothing if there is no room for them.
  std::optional<std::int64_t> append(std::string_view bytes);

  /// @throws std::runtime_error if they cannot be read
  std::string read(std::int64_t offset, std::size_t size) const;

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
  std::atomic<std::int64_t> end_{0};
};

/// Tests in order, as bytes, and once they are spooled in a file: a run makes hundreds of thousands,
/// whose number must not show in its memory. They are read one after the other, by value.
class TestList {
 public:
  /// Reads one test at a time, which is valid until the next.
  class Iterator {
   public:
    using value_type = TestRecord;
    using difference_type = std::ptrdiff_t;

    const TestRecord& operator*() const { return test_; }
    Iterator& operator++();
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return left_ == 0; }

   private:
    friend class TestList;
    std::shared_ptr<const std::string> loaded_;
    std::string_view bytes_;
    std::size_t left_ = 0;
    TestRecord test_;
  };

  TestList() = default;
  TestList(std::initializer_list<TestRecord> tests);
  explicit TestList(const std::vector<TestRecord>& tests);

  void push_back(const TestRecord& test);

  /// Moves the bytes to the file; they stay in memory if there is no room in it.
  void spool(const std::shared_ptr<Spool>& file);

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Iterator begin() const;
  std::default_sentinel_t end() const { return {}; }
  std::vector<TestRecord> all() const;

 private:
  std::size_t size_ = 0;
  std::string bytes_;
  std::shared_ptr<Spool> file_;  ///< null while the bytes are in memory
  std::int64_t offset_ = 0;
  std::size_t length_ = 0;
};

}  // namespace rootdk::reports
