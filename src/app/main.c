/*
 * main: the program's door.
 */
#include "app/cmd/cli.h"

int main(int argc, char **argv)
{
    return cli_main(argc, argv);
}
