import {
  type AgentRuntimePort,
  type JobHandlerContribution,
  type JsonObject,
  TerminalFailure,
} from '@countersign/core/plugin';
import {
  AGENT_JOB_TYPE,
  type AdvanceContext,
  type ElementInstance,
  type Mapping,
  readDestination,
} from '@countersign/model';
import type { RunningJob } from './job-executor.js';
import { getMappedInputs } from './get-mapped-inputs.js';

type ResolveDestination = NonNullable<AdvanceContext['resolveDestination']>;

/** Destinations of task jobs, as declared by their handlers. The policy sees them before the job runs. */
export class Destinations {
  private readonly handlerByType: ReadonlyMap<string, JobHandlerContribution>;

  constructor(
    handlers: readonly JobHandlerContribution[],
    private readonly agents: AgentRuntimePort | undefined,
  ) {
    this.handlerByType = new Map(handlers.map((handler) => [handler.jobType, handler]));
  }

  /**
   * Returns the destination of a task; `undefined` if its handler declares none.
   *
   * @throws {Error} if the destination cannot be read, because policies depend on it
   */
  readonly find: ResolveDestination = (task) => {
    const origins = this.findOrigins(task);
    return origins === undefined ? undefined : readDestination(origins);
  };

  /**
   * Refuses a destination that the policy did not evaluate. The configuration or the agent definition may have changed
   * since, or may differ on this server.
   *
   * @throws {TerminalFailure} `destination_changed`
   */
  assertUnchanged({ job: { jobType }, node, instance }: Pick<RunningJob, 'job' | 'node' | 'instance'>): void {
    const { decidedHosts, decidedPorts } = instance;
    if (decidedHosts === undefined) return;
    const unevaluated = this.findOrigins({ jobType, node, instance })?.find((origin) => {
      const { hosts, ports } = readDestination([origin]);
      return (
        hosts.some((host) => !decidedHosts.includes(host)) ||
        (decidedPorts !== undefined && ports.some((port) => !decidedPorts.includes(port)))
      );
    });
    if (unevaluated !== undefined)
      throw new TerminalFailure(
        'destination_changed',
        `This step now calls ${unevaluated}, which the policy has not evaluated. Recover the run to evaluate the policy again.`,
      );
  }

  private findOrigins({
    jobType,
    node: { headers, inputs },
    instance,
  }: Parameters<ResolveDestination>[0]): readonly string[] | undefined {
    const handler = this.handlerByType.get(jobType);
    if (handler !== undefined) return handler.hosts?.({ headers, inputs: pickHostInputs(handler, inputs, instance) });
    return jobType === AGENT_JOB_TYPE
      ? this.agents?.hosts?.({ headers, state: structuredClone(instance.agent ?? null) })
      : undefined;
  }
}

/**
 * Returns the inputs that determine the hosts, without others, which may be large. They are copied, because later
 * commands are evaluated on the state.
 */
function pickHostInputs(
  { hostInputs: names = [] }: JobHandlerContribution,
  mappings: readonly Mapping[],
  instance: ElementInstance,
): JsonObject {
  const mapped = getMappedInputs(mappings, instance);
  const needed = names.filter((name) => Object.hasOwn(mapped, name)).map((name) => [name, mapped[name]]);
  return structuredClone(Object.fromEntries(needed) as JsonObject);
}
