#include <rootdk/lib/matrix.hpp>
#include <rootdk/properties/cli/command.hpp>
#include <rootdk/stats/test.hpp>

int main(int argc, char** argv) { return rootdk::command(argc, argv); }
