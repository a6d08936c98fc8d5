# shellcheck shell=bash
# The path of a server's key on its clients. Sourced after common.sh, never run.

server_key() { printf '%s/.ssh/id_server_%s\n' "$(user_home)" "$1"; }
