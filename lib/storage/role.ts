/**
 * Meaning of a storage's metric, whatever its service calls it: analysis, dashboards and alarms ask for roles. A storage need not have
 * a metric for each, and has one at most.
 */
export type MetricRole =
  // What clients do.
  | 'bytes_read'
  | 'bytes_written'
  | 'read_operations'
  | 'write_operations'
  | 'metadata_operations'
  | 'client_connections'
  // Metadata operations by their kind.
  | 'file_creates'
  | 'file_opens'
  | 'file_deletes'
  | 'stats'
  | 'renames'
  | 'dir_creates'
  | 'dir_deletes'
  // How busy servers are, in percent of what they can do.
  | 'network_utilisation'
  | 'disk_utilisation'
  | 'disk_iops_utilisation'
  | 'metadata_cpu'
  | 'server_cpu'
  | 'iops_utilisation'
  // What servers and their disks move.
  | 'network_bytes_sent'
  | 'network_bytes_received'
  | 'disk_bytes_read'
  | 'disk_bytes_written'
  | 'disk_read_operations'
  | 'disk_write_operations'
  // Space.
  | 'logical_bytes'
  | 'physical_bytes'
  | 'capacity_free'
  | 'capacity_utilisation'
  | 'capacity_with_grants'
  // What the service allows at the moment.
  | 'throughput_permitted'
  | 'burst_credits';
