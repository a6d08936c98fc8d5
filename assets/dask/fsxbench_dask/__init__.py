"""The Dask workload: sea-surface temperature and its trend, from NetCDF files as the ERA5 reanalysis has them."""
