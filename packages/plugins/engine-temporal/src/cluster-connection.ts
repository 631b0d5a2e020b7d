import { Connection } from '@temporalio/client';
import protobuf from 'protobufjs';

/**
 * The few messages of the admin service that Countersign uses. The service is internal to Temporal: a cluster may refuse
 * it or, in a later version, no longer have it.
 */
const { root } = protobuf.parse(`
  syntax = "proto3";
  package temporal.server.api.adminservice.v1;
  message HostInfo { string identity = 1; }
  message RingInfo { string role = 1; repeated HostInfo members = 3; }
  message MembershipInfo { repeated RingInfo rings = 3; }
  message DescribeClusterRequest {}
  message DescribeClusterResponse { MembershipInfo membership_info = 3; }
  message DescribeHistoryHostRequest { string host_address = 1; }
  message DescribeHistoryHostResponse { repeated int32 shard_ids = 2; }
  service AdminService {
    rpc DescribeCluster (DescribeClusterRequest) returns (DescribeClusterResponse);
    rpc DescribeHistoryHost (DescribeHistoryHostRequest) returns (DescribeHistoryHostResponse);
  }
`);
const SERVICE_NAME = 'temporal.server.api.adminservice.v1.AdminService';

export interface MembershipInfo {
  readonly rings?: readonly { readonly role: string; readonly members?: readonly { readonly identity: string }[] }[];
}

/** The admin service of a cluster. */
export interface AdminService {
  describeCluster(request: object): Promise<{ readonly membershipInfo?: MembershipInfo | null }>;
  /** @param request `hostAddress`: host and port of the member */
  describeHistoryHost(request: { readonly hostAddress: string }): Promise<{ readonly shardIds?: readonly number[] }>;
}

/** Connection that also reaches the admin service. */
export class ClusterConnection extends Connection {
  /** @param apiKey API key of the connection, if it has one */
  createAdminService(apiKey: string | undefined): AdminService {
    const implementation = ClusterConnection.generateRPCImplementation({
      serviceName: SERVICE_NAME,
      client: this.client,
      callContextStorage: this.callContextStorage,
      interceptors: this.options.interceptors,
      staticMetadata: this.options.metadata,
      apiKeyFnRef: apiKey === undefined ? {} : { fn: () => apiKey },
    });
    return root.lookupService(SERVICE_NAME).create(implementation) as unknown as AdminService;
  }
}
