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
  readableHosts,
} from '@countersign/model';
import type { RunningJob } from './job-work.js';
import { mappedInputs } from './mapped-inputs.js';

type HostsOf = NonNullable<AdvanceContext['hostsOf']>;

/** Where the work of tasks goes to, as those tell who do it: what a policy is shown in front of it. */
export class Destinations {
  private readonly byType: ReadonlyMap<string, JobHandlerContribution>;

  constructor(
    handlers: readonly JobHandlerContribution[],
    private readonly agents: AgentRuntimePort | undefined,
  ) {
    this.byType = new Map(handlers.map((handler) => [handler.jobType, handler]));
  }

  /** `undefined` where nobody tells. @throws {Error} where a host can't be read: policies decide by them */
  readonly of: HostsOf = (task) => {
    const hosts = this.hostsFrom(task);
    return hosts === undefined ? undefined : readableHosts(hosts);
  };

  /**
   * The configuration, or the definition of an agent, may have changed since the policy was asked, or be another one at this
   * server.
   *
   * @throws {TerminalFailure} `destination_changed`
   */
  refuseOthers({ job: { jobType }, node, instance }: Pick<RunningJob, 'job' | 'node' | 'instance'>): void {
    const { decidedHosts } = instance;
    if (decidedHosts === undefined) return;
    const other = this.of({ jobType, node, instance })?.find((host) => !decidedHosts.includes(host));
    if (other !== undefined)
      throw new TerminalFailure(
        'destination_changed',
        `This step goes to ${other} now, which the policy was not asked about. Recover the run to ask it again.`,
      );
  }

  private hostsFrom({ jobType, node: { headers, inputs }, instance }: Parameters<HostsOf>[0]): ReturnType<HostsOf> {
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
