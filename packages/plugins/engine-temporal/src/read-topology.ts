import type { ClusterMember, ClusterTopology, TaskQueueStatus } from '@countersign/core/ports';
import type { AdminService, ClusterConnection } from './cluster-connection.js';

/** Task queue to describe. */
export interface TaskQueue {
  readonly name: string;
  readonly kind: 'workflows' | 'jobs';
}

/** Values of `TaskQueueType` in the API of Temporal. */
const TASK_QUEUE_TYPES = Object.freeze({ workflows: 1, jobs: 2 });

/** Reads the topology of a cluster, except for what only Countersign knows. */
export async function readTopology(
  connection: ClusterConnection,
  admin: AdminService,
  namespace: string,
  taskQueues: readonly TaskQueue[],
): Promise<Omit<ClusterTopology, 'announcements'>> {
  const clusterInfo = connection.workflowService.getClusterInfo({});
  // Only some clusters allow it.
  const membership = readMembers(admin).catch(() => null);
  const taskQueueStatus = taskQueues.map((queue) => readTaskQueue(connection, namespace, queue));
  // If one request fails, the others must not be in progress when the connection is closed.
  await Promise.allSettled([clusterInfo, membership, ...taskQueueStatus]);
  const { clusterId, clusterName, serverVersion, persistenceStore } = await clusterInfo;
  return {
    clusterId,
    clusterName,
    serverVersion,
    persistenceStore: persistenceStore === '' ? null : persistenceStore,
    members: await membership,
    taskQueues: await Promise.all(taskQueueStatus),
  };
}

async function readMembers(admin: AdminService): Promise<ClusterMember[]> {
  const { membershipInfo } = await admin.describeCluster({});
  const members = (membershipInfo?.rings ?? []).flatMap(({ role, members = [] }) =>
    members.map(({ identity }) => ({ role, address: identity })),
  );
  return Promise.all(
    members.map(async ({ role, address }) => ({
      role,
      address,
      shards: role === 'history' ? await readShards(admin, address) : null,
    })),
  );
}

async function readShards(admin: AdminService, hostAddress: string): Promise<number[] | null> {
  try {
    const { shardIds = [] } = await admin.describeHistoryHost({ hostAddress });
    return [...shardIds].sort((one, other) => one - other);
  } catch {
    return null; // the member has just left
  }
}

async function readTaskQueue(
  { workflowService }: ClusterConnection,
  namespace: string,
  { name, kind }: TaskQueue,
): Promise<TaskQueueStatus> {
  const { pollers, stats } = await workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name },
    taskQueueType: TASK_QUEUE_TYPES[kind],
    reportStats: true,
  });
  return {
    name,
    pollers: pollers.map(({ identity, lastAccessTime }) => ({
      identity: identity ?? '',
      lastAccessAt: toMilliseconds(lastAccessTime),
    })),
    backlog: Number(stats?.approximateBacklogCount ?? 0),
  };
}

function toMilliseconds(
  time: { readonly seconds?: unknown; readonly nanos?: number | null } | null | undefined,
): number {
  return Number(time?.seconds ?? 0) * 1_000 + Math.floor((time?.nanos ?? 0) / 1_000_000);
}
