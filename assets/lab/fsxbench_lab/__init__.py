"""Extends moto to support a whole deployment: a CloudFormation engine, FSx for Lustre, and an SSM that runs commands.

`python -m fsxbench_lab --port-file FILE` starts the emulator. Everything else is moto's own.
"""
