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
import type { RunningJob } from './job-work.js';
import { mappedInputs } from './mapped-inputs.js';

type DestinationOf = NonNullable<AdvanceContext['destinationOf']>;

/** Where the work of tasks goes, as those who do it say: a policy is shown it before the work. */
export class Destinations {
  private readonly byType: ReadonlyMap<string, JobHandlerContribution>;

  constructor(
    handlers: readonly JobHandlerContribution[],
    private readonly agents: AgentRuntimePort | undefined,
  ) {
    this.byType = new Map(handlers.map((handler) => [handler.jobType, handler]));
  }

  /** `undefined` where nobody says. @throws {Error} where it can't be read, since policies decide by it */
  readonly of: DestinationOf = (task) => {
    const origins = this.originsOf(task);
    return origins === undefined ? undefined : readDestination(origins);
  };

  /**
   * The configuration, or the definition of an agent, may have changed since the policy was asked, or be another one at this
   * server.
   *
   * @throws {TerminalFailure} `destination_changed`
   */
  refuseOthers({ job: { jobType }, node, instance }: Pick<RunningJob, 'job' | 'node' | 'instance'>): void {
    const { decidedHosts, decidedPorts } = instance;
    if (decidedHosts === undefined) return;
    const { hosts = [], ports = [] } = this.of({ jobType, node, instance }) ?? {};
    const host = hosts.find((each) => !decidedHosts.includes(each));
    const port = decidedPorts === undefined ? undefined : ports.find((each) => !decidedPorts.includes(each));
    const other = host ?? (port === undefined ? undefined : `port ${port} of ${hosts.join(', ')}`);
    if (other !== undefined)
      throw new TerminalFailure(
        'destination_changed',
        `This step goes to ${other} now, which the policy was not asked about. Recover the run to ask it again.`,
      );
  }

  private originsOf({
    jobType,
    node: { headers, inputs },
    instance,
  }: Parameters<DestinationOf>[0]): readonly string[] | undefined {
    const handler = this.byType.get(jobType);
    if (handler !== undefined) return handler.hosts?.({ headers, inputs: hostInputs(handler, inputs, instance) });
    return jobType === AGENT_JOB_TYPE
      ? this.agents?.hosts?.({ headers, state: structuredClone(instance.agent ?? null) })
      : undefined;
  }
}

/** A copy, since the state is what later commands are decided on, and of what is needed, since others may be large. */
function hostInputs(
  { hostInputs: names = [] }: JobHandlerContribution,
  mappings: readonly Mapping[],
  instance: ElementInstance,
): JsonObject {
  const mapped = mappedInputs(mappings, instance);
  const needed = names.filter((name) => Object.hasOwn(mapped, name)).map((name) => [name, mapped[name]]);
  return structuredClone(Object.fromEntries(needed) as JsonObject);
}
