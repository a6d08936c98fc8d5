# shellcheck shell=bash
# Installs what assets/client/user-data.sh expects and RHEL 8 and its relatives lack: a way to signal, the AWS CLI, and the agents of Systems Manager
# and CloudWatch. user-data.sh calls this function first, so its failure is logged and signalled as that of any other step. It needs only curl and the
# system's Python, which dnf also needs, and no repository.
#
# Environment: that of user-data.sh, and
#   AWS_EC2_METADATA_SERVICE_ENDPOINT    (default http://169.254.169.254)
#   AWS_ENDPOINT_URL_CLOUDFORMATION      (default that of the Region)

# The release that Amazon Linux 2023 has; later ones may ask for a later glibc.
aws_cli_version=2.15.30

# user-data.sh calls this without cfn-signal: as AWS's, but without a Python environment, whose installation may be the failure.
write_cfn_signal() {
  mkdir -p "$root/opt/aws/bin"
  cat >"$root/opt/aws/bin/cfn-signal" <<'PROGRAM'
#!/bin/bash
# usage: cfn-signal --success true|false [--reason TEXT] --stack NAME --resource ID --region REGION
#        cfn-signal --success true|false [--reason TEXT] --id ID URL
#
# Signals a wait condition by its signed address; a resource by the AWS CLI and the role of the instance; where there is no CLI yet, or it is refused, by the signed identity document of the instance, as
# AWS's cfn-signal does (aws-cfn-bootstrap, CFNSigner).
set -o errexit -o nounset -o pipefail
reason='' url=''
while (($# > 0)); do
  if [[ "$1" != --* ]]; then
    url="$1"
    shift
    continue
  fi
  declare "${1#--}=$2"
  shift 2
done
status=FAILURE
if [[ "$success" == true ]]; then status=SUCCESS; fi
if [[ -n "$url" ]]; then
  # The signature covers no content type (CloudFormation user guide, using-cfn-waitcondition).
  exec curl --silent --show-error --fail --max-time 30 --request PUT --header 'Content-Type:' \
    --data-binary "{\"Status\":\"$status\",\"Reason\":\"$reason\",\"UniqueId\":\"$id\",\"Data\":\"\"}" "$url"
fi
imds="${AWS_EC2_METADATA_SERVICE_ENDPOINT:-http://169.254.169.254}/latest"
token="$(curl --silent --show-error --fail --max-time 10 --request PUT --header 'X-aws-ec2-metadata-token-ttl-seconds: 300' "$imds/api/token")"
metadata() { curl --silent --show-error --fail --max-time 10 --header "X-aws-ec2-metadata-token: $token" "$imds/$1"; }
id="$(metadata meta-data/instance-id)"
if timeout 30 aws cloudformation signal-resource --region "$region" --stack-name "$stack" --logical-resource-id "$resource" --unique-id "$id" --status "$status"; then exit 0; fi
document="$(metadata dynamic/instance-identity/document | base64 --wrap=0)"
signature="$(metadata dynamic/instance-identity/signature | tr -d '\n')"
curl --silent --show-error --fail --max-time 30 --get --header "Authorization: CFN_V1 $document:$signature" \
  --data-urlencode Action=SignalResource --data-urlencode Version=2010-05-15 --data-urlencode "StackName=$stack" \
  --data-urlencode "LogicalResourceId=$resource" --data-urlencode "UniqueId=$id" --data-urlencode "Status=$status" \
  "${AWS_ENDPOINT_URL_CLOUDFORMATION:-https://cloudformation.$region.$(metadata meta-data/services/domain)}/" >/dev/null
PROGRAM
  chmod 0755 "$root/opt/aws/bin/cfn-signal"
}

# Into /usr/bin: sudo does not look in /usr/local/bin. Its installer: https://docs.aws.amazon.com/cli/latest/userguide/getting-started-install.html.
install_aws_cli() (
  if command -v aws >/dev/null; then return 0; fi
  folder="$(mktemp -d)"
  trap 'rm -rf "$folder"' EXIT
  curl --silent --show-error --fail --retry 3 --max-time 120 --output "$folder/aws.zip" \
    "https://awscli.amazonaws.com/awscli-exe-linux-x86_64-$aws_cli_version.zip"
  # unzip may be missing; Python's module keeps no modes.
  "$root/usr/libexec/platform-python" -m zipfile -e "$folder/aws.zip" "$folder"
  chmod -R 0755 "$folder/aws"
  "$folder/aws/install" --bin-dir "$root/usr/bin" --install-dir "$root/usr/local/aws-cli" >/dev/null
)

# Addresses: https://docs.aws.amazon.com/systems-manager/latest/userguide/agent-install-rhel-8-9-10.html and
# https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/download-CloudWatch-Agent-on-EC2-Instance-commandline-first.html
install_agents() {
  local imds="${AWS_EC2_METADATA_SERVICE_ENDPOINT:-http://169.254.169.254}/latest" token s3
  token="$(curl --silent --show-error --fail --max-time 10 --request PUT --header 'X-aws-ec2-metadata-token-ttl-seconds: 60' "$imds/api/token")" || return
  # Each partition has its own domain, such as amazonaws.com.cn.
  s3="https://s3.$FSXBENCH_REGION.$(curl --silent --show-error --fail --max-time 10 --header "X-aws-ec2-metadata-token: $token" "$imds/meta-data/services/domain")" || return
  within 300 dnf install -y --quiet '--disablerepo=*' "$s3/amazon-ssm-$FSXBENCH_REGION/latest/linux_amd64/amazon-ssm-agent.rpm" \
    "$s3/amazoncloudwatch-agent-$FSXBENCH_REGION/redhat/amd64/latest/amazon-cloudwatch-agent.rpm" &&
    systemctl enable --now --quiet amazon-ssm-agent
}

prelude() {
  write_cfn_signal
  install_aws_cli
  # They help to see into a server; no figure depends on them.
  install_agents || echo 'user-data: warning: the agents of Systems Manager and CloudWatch could not be installed: there is no shell, and the log stays here' >&2
}
