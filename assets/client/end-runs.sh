#!/bin/sh
# Systems Manager runs this on each client of an expiring stack: it calls end-runs. A client without the bundle never booted: without a folder of
# runs, it has nothing to lose; with one, its results are not safe, and the shell returns 127.
#
# Environment:
#   FSXBENCH_BUCKET   the results bucket
#   FSXBENCH_HOME     where the bundle was unpacked (default /opt/fsxbench)
#   FSXBENCH_STATE    what outlives a reboot: runs (default /var/lib/fsxbench)
set -eu

end_runs="${FSXBENCH_HOME:-/opt/fsxbench}/bin/end-runs"
if [ ! -e "$end_runs" ] && [ ! -e "${FSXBENCH_STATE:-/var/lib/fsxbench}/runs" ]; then exit 0; fi
"$end_runs" "${FSXBENCH_BUCKET:?}"
