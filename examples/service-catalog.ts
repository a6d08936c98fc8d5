// A Service Catalog product: users launch a file system that the platform team has checked, without rights on FSx. docs/platform-teams.md has the steps.
//
//   npx cdk deploy --app "npx tsx service-catalog.ts" FileSystems -c role=NAME
import { App, CfnOutput, CfnParameter, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Subnet, Vpc } from 'aws-cdk-lib/aws-ec2';
import { Role } from 'aws-cdk-lib/aws-iam';
import { CloudFormationProduct, CloudFormationTemplate, Portfolio, ProductStack } from 'aws-cdk-lib/aws-servicecatalog';
import type { Construct } from 'constructs';
import { LustreFileSystem } from 'fsxbench/constructs';

/** A file system in a subnet that the user names. Sizes are fixed: what AWS refuses is refused when this file is synthesised. */
class FileSystemProduct extends ProductStack {
  constructor(scope: Construct, id: string, storageCapacityGiB: number) {
    super(scope, id);
    const asked = (name: string, type: string, description: string): string =>
      new CfnParameter(this, name, { type, description }).valueAsString;
    const vpc = Vpc.fromVpcAttributes(this, 'Vpc', {
      vpcId: asked('VpcId', 'AWS::EC2::VPC::Id', 'VPC of the clients'),
      availabilityZones: [asked('Zone', 'AWS::EC2::AvailabilityZone::Name', 'Zone of the subnet')],
    });
    const subnet = Subnet.fromSubnetAttributes(this, 'Subnet', {
      subnetId: asked('SubnetId', 'AWS::EC2::Subnet::Id', 'Private subnet of the clients'),
      ipv4CidrBlock: asked('SubnetRange', 'String', 'IPv4 range of the subnet, such as 10.0.0.0/20'),
    });
    const fileSystem = new LustreFileSystem(this, 'FileSystem', {
      vpc,
      subnet,
      configuration: {
        deploymentType: 'PERSISTENT_2',
        storageCapacityGiB,
        perUnitStorageThroughput: 125,
        dataCompressionType: 'LZ4',
      },
      // Terminating the product deletes the file system with its data.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    new CfnOutput(this, 'Mount', { value: fileSystem.mountCommands('/mnt/fsx').join('\n') });
  }
}

const app = new App();
const stack = new Stack(app, 'FileSystems', { env: { region: 'us-east-1' } });
const product = new CloudFormationProduct(stack, 'Product', {
  productName: 'FSx for Lustre',
  owner: 'Platform team',
  productVersions: [1200, 4800].map((gib) => ({
    productVersionName: `${gib} GiB`,
    cloudFormationTemplate: CloudFormationTemplate.fromProductStack(
      new FileSystemProduct(stack, `FileSystem${gib}`, gib),
    ),
  })),
});
const portfolio = new Portfolio(stack, 'Portfolio', { displayName: 'Storage', providerName: 'Platform team' });
portfolio.addProduct(product);
const role: unknown = app.node.tryGetContext('role');
if (typeof role !== 'string') throw new Error('name the role that may launch products: -c role=NAME, got none');
portfolio.giveAccessToRole(Role.fromRoleName(stack, 'Users', role));
