"""What moto needs to carry a whole deployment: a CloudFormation engine, FSx for Lustre, and an SSM that runs commands.

`python -m fsxbench_lab --port N` starts the emulator. Everything else of AWS is moto's own.
"""
