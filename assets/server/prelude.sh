# shellcheck shell=bash
# What assets/client/user-data.sh takes for granted on Amazon Linux and RHEL's relatives lack, before it.
dnf install -y --quiet awscli python3 python3-pip tar
python3 -m venv /opt/aws-cfn-bootstrap
# AWS publishes no older versions of it; it carries the signal and measures nothing.
/opt/aws-cfn-bootstrap/bin/pip install --quiet https://s3.amazonaws.com/cloudformation-examples/aws-cfn-bootstrap-py3-latest.tar.gz
mkdir -p /opt/aws/bin
ln -sfn /opt/aws-cfn-bootstrap/bin/cfn-signal /opt/aws/bin/cfn-signal
