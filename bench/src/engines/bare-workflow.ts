import { condition, defineSignal, proxyActivities, proxySinks, setHandler } from '@temporalio/workflow';

export interface BareActivities {
  prepare(amount: number): Promise<string>;
  perform(amount: number): Promise<string>;
}

/** What the workflow reports to the process that executes it. The cluster is not involved. */
export interface BareSinks {
  readonly driver: {
    approvalRequested(): void;
    ended(): void;
  };
}

const { prepare, perform } = proxyActivities<BareActivities>({ startToCloseTimeout: '1m' });
const { driver } = proxySinks<BareSinks>();
const decided = defineSignal<[decision: string]>('decided');

/** The workload as someone writes it who needs neither BPMN nor a history for auditors. Temporal executes it. */
export async function bareApproval(amount: number): Promise<void> {
  let decision: string | undefined;
  setHandler(decided, (value) => {
    decision = value;
  });
  await prepare(amount);
  driver.approvalRequested();
  await condition(() => decision !== undefined);
  if (decision === 'approve') await perform(amount);
  driver.ended();
}
