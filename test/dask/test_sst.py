"""Generated temperatures, their analysis by Dask, and what both refuse."""

import contextlib
import io
import json
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np
import xarray

from fsxbench_dask import analyse, make, trend, workers
from fsxbench_dask.__main__ import main
from fsxbench_dask.layout import VARIABLE, DataError, monthly_files

#: Years 1990 and up: enough for a standard error, small enough to be made in seconds.
SMALL = make.Size(years=4, latitudes=12, longitudes=24, steps_per_day=1)
#: Student's t for 95 % and 8 degrees of freedom, of ten years.
T_OF_10_YEARS = 2.306


def run(*words):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(list(words))
    return status, out.getvalue(), err.getvalue()


def means_by_month(size, truth):
    """Yearly means without files: the fields themselves, weighted as the analysis weights them."""
    latitude = np.linspace(90, -90, size.latitudes)
    years = range(make.FIRST_YEAR, make.FIRST_YEAR + size.years)
    fields = {year: [make.month_field(size, truth, year, month)[1] for month in range(1, 13)] for year in years}
    return {
        year: float(np.concatenate([analyse.area_mean(field, latitude) for field in months]).mean())
        for year, months in fields.items()
    }


class Refused(unittest.TestCase):
    def test_a_directory_without_files_is_refused_with_its_name_and_what_to_do(self):
        with tempfile.TemporaryDirectory() as folder:
            status, out, err = run("analyse", "--data", folder)
        self.assertEqual((status, out), (1, ""))
        self.assertIn(f"got {folder}, which has none: make them with 'sst-analysis make'", err)

    def test_numbers_out_of_range_are_refused_with_what_is_allowed(self):
        err = io.StringIO()
        with contextlib.redirect_stderr(err), self.assertRaises(SystemExit):
            main(["make", "--data", "x", "--years", "0"])
        self.assertIn("must be a whole number from 1 to 200, got '0'", err.getvalue())

    def test_several_nodes_need_slurm(self):
        wanted = workers.Wanted(2, 1, 512, 0, 10, Path("logs"), None)
        with mock.patch.object(workers, "has_slurm", return_value=False), self.assertRaisesRegex(DataError, "'--nodes' must be 1"):
            with workers.started(wanted):
                pass

    def test_programs_of_slurm_without_a_controller_are_no_slurm(self):
        with tempfile.TemporaryDirectory() as folder:
            sinfo = Path(folder) / "sinfo"
            sinfo.write_text("#!/bin/sh\nexit 1\n")
            sinfo.chmod(0o755)
            with mock.patch.dict("os.environ", {"PATH": f"{folder}:/usr/bin:/bin"}):
                self.assertFalse(workers.has_slurm())

    def test_the_analysis_waits_for_the_workers_of_all_nodes(self):
        wanted = workers.Wanted(2, 3, 512, 0, 60, Path("."), None)
        cluster = mock.MagicMock()
        with (
            mock.patch.multiple(workers, has_slurm=lambda: True, _slurm=lambda *_: cluster),
            mock.patch.object(workers, "Client") as client,
            workers.started(wanted),
        ):
            client().__enter__().wait_for_workers.assert_called_once_with(6, timeout=60)

    def test_a_file_without_the_variable_is_refused_by_name(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "e5.oper.an.sfc.128_034_sstk.ll025sc.1990010100_1990013123.nc"
            xarray.Dataset({"T2M": ("time", [1.0])}).to_netcdf(path, engine="h5netcdf")
            status, _, err = run("analyse", "--data", folder)
        self.assertEqual(status, 1)
        self.assertIn("must have the variable SSTK, got T2M", err)

    def test_a_trend_costs_two_degrees_of_freedom(self):
        found = trend.trend_of([1990, 1991, 1992, 1993], [0.0, 1.0, 0.0, 1.0])
        self.assertAlmostEqual(found.slope, 2)
        # The squares of the residuals come to 0.8, those of the years to 5.
        self.assertAlmostEqual(found.error, 10 * (0.8 / 2 / 5) ** 0.5)

    def test_two_years_have_no_trend(self):
        self.assertEqual(trend.trend_of([1990, 1991], [1.0, 2.0]), trend.Trend(None, None))


class Generated(unittest.TestCase):
    def test_the_same_seed_gives_the_same_temperatures_and_another_others(self):
        field = [make.month_field(SMALL, make.Truth(0.2, seed), 1991, 2)[1] for seed in (1, 1, 2)]
        np.testing.assert_array_equal(field[0], field[1])
        self.assertGreater(np.nanmax(np.abs(field[0] - field[2])), 0.1)

    def test_the_interval_of_95_percent_holds_the_trend_in_95_of_100_seeds(self):
        size = make.Size(years=10, latitudes=4, longitudes=4, steps_per_day=1)
        held = 0
        for seed in range(100):
            truth = make.Truth(0.2, seed)
            means = means_by_month(size, truth)
            found = trend.trend_of(list(means), list(means.values()))
            held += abs(found.slope - truth.trend) <= T_OF_10_YEARS * found.error
        # Binomial: 95 ± 3 × 2.2.
        self.assertTrue(89 <= held <= 100, held)


class Analysed(unittest.TestCase):
    def test_the_mean_and_the_trend_of_files_are_those_of_the_fields_in_them(self):
        with tempfile.TemporaryDirectory() as folder:
            data = f"{folder}/data"
            size = ("--years", "4", "--latitudes", "12", "--longitudes", "24", "--steps-per-day", "1")
            status, out, _ = run("make", "--data", data, *size, "--trend", "0.2", "--seed", "7")
            made = json.loads(out)
            self.assertEqual((status, made["files"]), (0, 48))
            self.assertEqual(made["file_bytes"], sum(path.stat().st_size for path in Path(data).iterdir()))

            # A month of the fifth year: part of the mean, of no yearly mean.
            make.write_month(Path(data), SMALL, make.Truth(0.2, 7), 1994, 1)
            with mock.patch.object(workers, "has_slurm", return_value=False), mock.patch.object(analyse, "has_slurm", return_value=False):
                status, out, err = run("analyse", "--data", data, "--dashboard-port", "0", "--worker-mib", "512")
            with xarray.open_dataset(monthly_files(Path(data))[0], engine="h5netcdf") as first:
                self.assertEqual(first[VARIABLE].encoding["chunksizes"], (27, 3, 5))
        self.assertEqual(status, 0, err)
        self.assertIn("dashboard is http://127.0.0.1:", err)
        found = json.loads(out.splitlines()[-1])
        truth = means_by_month(SMALL, make.Truth(0.2, 7))
        self.assertEqual([year["year"] for year in found["years"]], list(truth))
        np.testing.assert_allclose([year["mean_k"] for year in found["years"]], list(truth.values()), rtol=1e-9)
        expected = trend.trend_of(list(truth), list(truth.values()))
        self.assertAlmostEqual(found["trend_k_per_decade"], expected.slope)
        self.assertAlmostEqual(found["trend_error_k_per_decade"], expected.error)
        self.assertEqual((found["scheduler"], found["workers"], found["nodes"], found["files"]), ("local", 1, 1, 49))
        self.assertGreaterEqual(found["bytes_read"], found["file_bytes"] * 0.5)


if __name__ == "__main__":
    sys.exit(unittest.main())
