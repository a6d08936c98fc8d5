# shellcheck shell=bash
# Where the key to a server is on its clients. Sourced after common.sh, never run.

server_key() { printf '%s/.ssh/id_server_%s\n' "$(user_home)" "$1"; }
