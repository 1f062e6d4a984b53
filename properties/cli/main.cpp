#include <rootdk/properties/cli/command.hpp>

int main(int argc, char** argv) { return rootdk::command(argc, argv); }
