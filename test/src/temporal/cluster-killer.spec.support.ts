import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { gunzipSync } from 'node:zlib';
import { type CallResponse, GrpcProxy } from './grpc-proxy.spec.support.js';
import type { TemporalServer } from './temporal-server.spec.support.js';

/**
 * Point at which the cluster can be killed: before a call of a gRPC method reaches it; after it has executed the call,
 * but before the response reaches our server; or before or after a commit of our server.
 */
export type KillPoint = `${'before' | 'after'}:${string}`;

/**
 * gRPC methods that our server calls. `step`: changes something in the cluster. `poll`: gives work to our server; only
 * responses with work count as visits. `other`: neither. A method that is missing here fails the specs.
 */
export const METHODS = Object.freeze({
  SignalWithStartWorkflowExecution: 'step',
  SignalWorkflowExecution: 'step',
  StartWorkflowExecution: 'step',
  RespondWorkflowTaskCompleted: 'step',
  RecordActivityTaskHeartbeat: 'step',
  RespondActivityTaskCompleted: 'step',
  RespondActivityTaskFailed: 'step',
  PollWorkflowTaskQueue: 'poll',
  PollActivityTaskQueue: 'poll',
  ListWorkflowExecutions: 'other',
  DescribeWorkflowExecution: 'other',
  GetWorkflowExecutionHistory: 'other',
  DescribeNamespace: 'other',
  DescribeTaskQueue: 'other',
  GetClusterInfo: 'other',
  GetSystemInfo: 'other',
  DescribeCluster: 'other',
  DescribeHistoryHost: 'other',
  ListClusters: 'other',
  Check: 'other',
  // These two only tell the cluster which workers there are.
  RecordWorkerHeartbeat: 'other',
  ShutdownWorker: 'other',
} as const satisfies Readonly<Record<string, 'step' | 'poll' | 'other'>>);

/** Tag of the task token, the first field of a response to a poll that has work. */
const TASK_TOKEN_TAG = 0x0a;
/** Length of what gRPC writes before a message. */
const GRPC_PREFIX_LENGTH = 5;

/** A proxy in front of a Temporal server that kills it at a chosen point, and starts it again. */
export class ClusterKiller extends GrpcProxy {
  /** How often each point was visited since the killer was armed. */
  readonly visits = new Map<KillPoint, number>();
  /** Called methods that are not in {@link METHODS}. */
  readonly unknownMethods = new Set<string>();
  /** Awaited before a killed cluster is started again. */
  beforeRestart: () => Promise<unknown> = () => Promise.resolve();
  private armed: { readonly point: KillPoint; readonly visit: number } | undefined;
  private restart: Promise<void> = Promise.resolve();

  private constructor(private readonly cluster: TemporalServer) {
    super(cluster.address);
  }

  static async start(cluster: TemporalServer): Promise<ClusterKiller> {
    const killer = new ClusterKiller(cluster);
    await killer.listen();
    return killer;
  }

  /** Kills the cluster at a visit of a point, counted from now on; `null`: does not kill it. */
  arm(point: KillPoint | null, visit = 1): void {
    this.visits.clear();
    this.armed = point === null ? undefined : { point, visit };
  }

  /** Whether the cluster is still to be killed. */
  get isArmed(): boolean {
    return this.armed !== undefined;
  }

  /**
   * Visits a point, and kills the cluster there if it is the chosen one.
   *
   * @returns whether the cluster was killed
   */
  async visit(point: KillPoint): Promise<boolean> {
    const visit = (this.visits.get(point) ?? 0) + 1;
    this.visits.set(point, visit);
    if (this.armed?.point !== point || this.armed.visit !== visit) return false;
    this.armed = undefined;
    await this.cluster.kill();
    this.restart = this.beforeRestart().then(() => this.cluster.ensureRunning());
    return true;
  }

  /** Waits until a killed cluster is running again. */
  async waitUntilRunning(): Promise<void> {
    await this.restart;
  }

  protected override async handle(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    const method = (headers[':path'] ?? '').split('/').at(-1) ?? '';
    const kind = METHODS[method as keyof typeof METHODS] as string | undefined;
    if (kind === undefined) this.unknownMethods.add(method);
    if (await this.visit(`before:${method}`)) return this.closeConnections();
    const response = await this.forward(stream, headers);
    const isVisit = kind !== 'poll' || hasWork(response);
    if (isVisit && (await this.visit(`after:${method}`))) return this.closeConnections();
    this.respond(stream, response);
  }
}

/** Returns whether the response to a poll has work for our server. */
function hasWork({ body }: CallResponse): boolean {
  if (body.length <= GRPC_PREFIX_LENGTH) return false;
  const isCompressed = body[0] === 1;
  const message = body.subarray(GRPC_PREFIX_LENGTH);
  return (isCompressed ? gunzipSync(message) : message)[0] === TASK_TOKEN_TAG;
}
