#include <rootdk/properties/token.hpp>

#include <gtest/gtest.h>

#include <stdexcept>

namespace rootdk {
namespace {

TEST(Token, IsReadBackAsWritten) {
  const Token token{.claim = "scores.variance",
                    .configuration = "d_k=17,n=8",
                    .seed = 9007199254740991ULL,
                    .effort = "quick",
                    .alpha = 1e-9,
                    .subject = "python3 -m subject, with: punctuation"};
  const Token read = parse_token(token_text(token));
  EXPECT_EQ(read.claim, token.claim);
  EXPECT_EQ(read.configuration, token.configuration);
  EXPECT_EQ(read.seed, token.seed);
  EXPECT_EQ(read.effort, token.effort);
  EXPECT_EQ(read.alpha, token.alpha);
  EXPECT_EQ(read.subject, token.subject);
}

TEST(Token, KnowsFreshData) {
  const std::string text = "a:b:seed=1,effort=quick,alpha=1e-06,fresh=1,subject=fresh=2";
  const Token read = parse_token(text);
  EXPECT_TRUE(read.fresh);
  EXPECT_EQ(read.subject, "fresh=2");
  EXPECT_EQ(token_text(read), text);
  EXPECT_FALSE(parse_token("a:b:seed=1,effort=quick,alpha=1e-06,subject=s").fresh);
  EXPECT_THROW(parse_token("a:b:seed=1,effort=quick,alpha=1e-06,fresh=0,subject=s"),
               std::invalid_argument);
}

TEST(Token, NamesWhatCannotBeRead) {
  EXPECT_THROW(parse_token(""), std::invalid_argument);
  EXPECT_THROW(parse_token("scores.variance"), std::invalid_argument);
  EXPECT_THROW(parse_token("a:b:seed=x,effort=quick,alpha=1,subject=s"), std::invalid_argument);
  EXPECT_THROW(parse_token("a:b:effort=quick,seed=1,alpha=1,subject=s"), std::invalid_argument);
}

}  // namespace
}  // namespace rootdk
