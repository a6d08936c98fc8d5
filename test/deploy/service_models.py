"""Print what AWS's own API models refuse in CloudFormation templates, one line for each: FILE RESOURCE PROPERTY: reason.

The models are those of the pinned botocore (assets/lab/requirements.txt): a new version of it is the next review.
"""

import json
import re
import sys

import botocore.session

# Resources of the services below whose properties are the input of one call, and properties that the call names differently.
CALLS = {
    "AWS::AutoScaling::AutoScalingGroup": ("autoscaling", "CreateAutoScalingGroup", {}),
    "AWS::EC2::Instance": ("ec2", "RunInstances", {"Volumes": None, "AvailabilityZone": None, "PropagateTagsToVolumeOnCreation": None,
                           "Tags": None, "LaunchTemplate": "LaunchTemplate"}),
    "AWS::EC2::KeyPair": ("ec2", "CreateKeyPair", {"Tags": None}),
    "AWS::EC2::LaunchTemplate": ("ec2", "CreateLaunchTemplate", {}),
    "AWS::EC2::NatGateway": ("ec2", "CreateNatGateway", {"Tags": None}),
    "AWS::EC2::NetworkInterface": ("ec2", "CreateNetworkInterface", {"Tags": None, "GroupSet": "Groups"}),
    "AWS::EC2::PlacementGroup": ("ec2", "CreatePlacementGroup", {"Tags": None}),
    "AWS::EC2::Route": ("ec2", "CreateRoute", {}),
    "AWS::EC2::SecurityGroup": ("ec2", "CreateSecurityGroup", {"GroupDescription": "Description", "Tags": None,
                                "SecurityGroupIngress": None, "SecurityGroupEgress": None}),
    "AWS::EC2::Subnet": ("ec2", "CreateSubnet", {"Tags": None, "MapPublicIpOnLaunch": None}),
    "AWS::EC2::VPC": ("ec2", "CreateVpc", {"Tags": None, "EnableDnsHostnames": None, "EnableDnsSupport": None}),
    "AWS::EC2::VPCEndpoint": ("ec2", "CreateVpcEndpoint", {"Tags": None}),
    "AWS::EC2::Volume": ("ec2", "CreateVolume", {"Tags": None, "AutoEnableIO": None}),
    "AWS::FSx::DataRepositoryAssociation": ("fsx", "CreateDataRepositoryAssociation", {}),
    "AWS::FSx::FileSystem": ("fsx", "CreateFileSystem", {}),
    "AWS::FSx::Volume": ("fsx", "CreateVolume", {}),
    "AWS::SSM::Document": ("ssm", "CreateDocument", {"UpdateMethod": None}),
    "AWS::SSM::Parameter": ("ssm", "PutParameter", {"Tags": None}),
    "AWS::Scheduler::Schedule": ("scheduler", "CreateSchedule", {}),
    "AWS::StepFunctions::StateMachine": ("stepfunctions", "CreateStateMachine", {"DefinitionString": "definition",
                                         "StateMachineName": "name", "StateMachineType": "type"}),
}
# Without properties that a model could refuse.
PLAIN = re.compile(
    r"^AWS::EC2::(EIP|InternetGateway|RouteTable|SecurityGroup(E|In)gress|SubnetRouteTableAssociation|VPCGatewayAttachment|FlowLog|VolumeAttachment)$"
)
CHECKED = re.compile(r"^AWS::(FSx|EC2|AutoScaling|SSM|Scheduler|StepFunctions)::")
# Names that CloudFormation makes itself, and counts that it decides.
GIVEN = {"Name", "name", "AutoScalingGroupName", "LaunchTemplateName", "KeyName", "MinCount", "MaxCount", "GroupName", "VolumeSize"}
# Inside of properties: what only CloudFormation knows (Options: what it does at deletion).
INNER = {"Options": None, "MetricsCollection": None, "VPCZoneIdentifier": None, "NotificationConfigurations": None, "LifecycleHookSpecificationList": None}
SESSION = botocore.session.get_session()


def later(value: object) -> bool:
    """True for what CloudFormation fills in."""
    return isinstance(value, dict) and len(value) == 1 and next(iter(value)).startswith(("Ref", "Fn::"))


def matches(pattern: str, value: str) -> bool:
    """Whether the whole text matches a pattern of Java, in which Python lacks the classes of Unicode."""
    known = (
        (r"\p{L}", "A-Za-z\u00c0-\uffff"),
        (r"\p{Z}", r"\s"),
        (r"\p{N}", r"\d"),
        (r"\uD800\uDC00-\uDBFF\uDFFF", r"\U00010000-\U0010FFFF"),
    )
    for java, own in known:
        pattern = pattern.replace(java, own)
    return re.fullmatch(pattern, value, re.DOTALL) is not None


def scalar(shape, value):
    """The reason why a string, a number or a boolean is refused."""
    kind, rules = shape.type_name, shape.metadata
    if kind in ("integer", "long", "float", "double"):
        if isinstance(value, bool) or not re.fullmatch(r"-?\d+(\.\d+)?", str(value)):
            return f"must be a number, got {value!r}"
        size, what = float(value), "be"
    elif kind == "boolean":
        return None if str(value).lower() in ("true", "false") else f"must be true or false, got {value!r}"
    elif kind == "string":
        if isinstance(value, (dict, list)):
            value = json.dumps(value)
        value = str(value).lower() if isinstance(value, bool) else str(value)
        if getattr(shape, "enum", None) and value not in shape.enum:
            return f"must be one of {', '.join(shape.enum)}, got {value!r}"
        if (pattern := rules.get("pattern")) and not matches(pattern, value):
            return f"must match {pattern}, got {value!r}"
        size, what = len(value), "have a length"
    else:
        return None
    low, high = rules.get("min", float("-inf")), rules.get("max", float("inf"))
    return None if low <= size <= high else f"must {what} from {low} to {high}, got {value!r}"


def problems(shape, value, path, names):
    """Path and reason of all that the model of a shape refuses in a value."""
    if later(value):
        return
    kind = shape.type_name
    if kind == "structure":
        if not isinstance(value, dict):
            yield path, f"must be a structure, got {value!r}"
            return
        members = {name.lower(): name for name in shape.members}
        seen = set()
        for key, inner in value.items():
            name = {**INNER, **names}.get(key, key)
            if name is None:
                continue
            found = members.get(name.lower()) or members.get(name.lower().rstrip("s"))
            if found is None:
                yield f"{path}.{key}", f"must be one of {', '.join(shape.members)}"
                continue
            seen.add(found)
            yield from problems(shape.members[found], inner, f"{path}.{key}", {})
        skipped = {key for key, name in {**INNER, **names}.items() if name is None and key in value}
        for name in shape.required_members:
            if name not in seen | skipped and name not in GIVEN:
                yield f"{path}.{name}", "must be given"
    elif kind == "list":
        entries = value if isinstance(value, list) else [value]
        low, high = shape.metadata.get("min", 0), shape.metadata.get("max", float("inf"))
        if not low <= len(entries) <= high:
            yield path, f"must have from {low} to {high} entries, got {len(entries)}"
        for index, entry in enumerate(entries):
            yield from problems(shape.member, entry, f"{path}[{index}]", {})
    elif kind == "map":
        for key, inner in value.items() if isinstance(value, dict) else ():
            yield from problems(shape.value, inner, f"{path}.{key}", {})
    elif reason := scalar(shape, value):
        yield path, reason


for file in sys.argv[1:]:
    with open(file) as text:
        resources = json.load(text)["Resources"]
    for name, resource in resources.items():
        kind = resource["Type"]
        if not CHECKED.match(kind) or PLAIN.match(kind):
            continue
        if kind not in CALLS:
            print(f"{file} {name}: no call of {kind} is known: add it to service_models.py")
            continue
        service, call, names = CALLS[kind]
        shape = SESSION.get_service_model(service).operation_model(call).input_shape
        for path, reason in problems(shape, resource.get("Properties", {}), name, names):
            print(f"{file} {path}: {reason}")
