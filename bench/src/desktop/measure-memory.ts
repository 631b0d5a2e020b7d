import { type Client, buildVoteArguments } from '@countersign/contract';
import { setTimeout as delay } from 'node:timers/promises';
import type { DesktopClient } from './desktop-client.js';

/** Numbers of changes after which memory is measured. */
export const CHANGE_MARKS: readonly number[] = [2_000, 6_000, 10_000];
const CONCURRENCY = 8;
/** Time after the last change, in ms, within which the list reloads and old queries are discarded. */
const SETTLE_MS = 1_500;
/**
 * Number of readings per measurement. The lowest one counts, because memory that is not yet collected is not growth.
 */
const READING_COUNT = 3;

/** Memory after a number of changes: sizes in MiB, and the number of DOM nodes. */
export interface MemoryUse {
  readonly changes: number;
  /** JavaScript heap of the window, after garbage collection. */
  readonly windowHeap: number;
  readonly windowNodes: number;
  /** JavaScript heap of the main process, after garbage collection. */
  readonly mainHeap: number;
  /** Working sets of the processes, as reported by the operating system. */
  readonly windowSet: number;
  readonly mainSet: number;
}

interface MemoryOptions {
  readonly client: DesktopClient;
  readonly operator: Client;
  readonly decider: Client;
  readonly workflowId: string;
  progress(text: string): void;
}

/**
 * Requests and decides approvals, and measures the memory of the client after each number of changes in {@link
 * CHANGE_MARKS}.
 */
export async function measureMemory({
  client,
  operator,
  decider,
  workflowId,
  progress,
}: MemoryOptions): Promise<MemoryUse[]> {
  const measurements: MemoryUse[] = [];
  const subscription = new AbortController();
  let changes = 0;
  const subscriptionEnd = countChanges(operator, subscription.signal, () => (changes += 1));
  try {
    for (const mark of CHANGE_MARKS) {
      const decideUntilMark = async (): Promise<void> => {
        while (changes < mark) await requestAndDecide(operator, decider, workflowId);
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, decideUntilMark));
      await delay(SETTLE_MS);
      measurements.push(await readMemory(client, changes));
      progress(`${changes} changes`);
    }
  } finally {
    subscription.abort();
    await subscriptionEnd;
  }
  return measurements;
}

async function countChanges(client: Client, signal: AbortSignal, onChange: () => void): Promise<void> {
  try {
    for await (const message of client.streamChanges({ signal })) if (message.type === 'change') onChange();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function requestAndDecide(operator: Client, decider: Client, workflowId: string): Promise<void> {
  const { runId } = await operator.startRun({ body: { workflowId } });
  const [approval] = (await decider.listApprovals({ runId })).items;
  if (approval === undefined) throw new Error('The run has no pending approval.');
  await decider.decideApproval(buildVoteArguments(approval, { decision: 'approve', comment: 'As it should be.' }));
}

async function readMemory({ app, page }: DesktopClient, changes: number): Promise<MemoryUse> {
  const session = await page.context().newCDPSession(page);
  const readings: Omit<MemoryUse, 'changes'>[] = [];
  try {
    await session.send('Performance.enable');
    for (let repetition = 0; repetition < READING_COUNT; repetition += 1) {
      await session.send('HeapProfiler.collectGarbage');
      const { usedSize } = await session.send('Runtime.getHeapUsage');
      const { metrics } = await session.send('Performance.getMetrics');
      const mainMemory = await app.evaluate(({ app: electron }) => {
        (globalThis as unknown as { gc(): void }).gc();
        const workingSet = (type: string): number =>
          electron.getAppMetrics().find((each) => each.type === type)?.memory.workingSetSize ?? Number.NaN;
        return { heap: process.memoryUsage().heapUsed, mainSet: workingSet('Browser'), windowSet: workingSet('Tab') };
      });
      readings.push({
        windowHeap: usedSize / BYTES_PER_MIB,
        windowNodes: metrics.find(({ name }) => name === 'Nodes')?.value ?? Number.NaN,
        mainHeap: mainMemory.heap / BYTES_PER_MIB,
        windowSet: mainMemory.windowSet / 1024,
        mainSet: mainMemory.mainSet / 1024,
      });
      await delay(300);
    }
  } finally {
    await session.detach();
  }
  const minimum = (key: keyof Omit<MemoryUse, 'changes'>): number => Math.min(...readings.map((each) => each[key]));
  return {
    changes,
    windowHeap: minimum('windowHeap'),
    windowNodes: minimum('windowNodes'),
    mainHeap: minimum('mainHeap'),
    windowSet: minimum('windowSet'),
    mainSet: minimum('mainSet'),
  };
}

const BYTES_PER_MIB = 1024 * 1024;
