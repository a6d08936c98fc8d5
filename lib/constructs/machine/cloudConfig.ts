/** Path of the script: only root may read it, and it stays for inspection. */
const PATH = '/var/lib/fsxbench/user-data';

/**
 * User data as cloud-init's own configuration, which writes a shell script and runs it once, at first boot.
 *
 * A script alone would be accepted by EC2, too, but not by `cloud-init schema` of the releases that Amazon Linux 2023 and
 * Debian 12 carry (22.x): those know nothing but `#cloud-config`, so nobody could check it before it is deployed.
 *
 * The script stands in a literal block, where nothing needs escaping: values that CloudFormation fills in later pass as
 * they are, as long as they hold no line break.
 */
export function cloudConfig(script: string): string {
  const block = script
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `      ${line}`))
    .join('\n');
  return `#cloud-config
write_files:
  - path: ${PATH}
    permissions: '0700'
    content: |
${block}
runcmd:
  - [/bin/bash, ${PATH}]
`;
}
