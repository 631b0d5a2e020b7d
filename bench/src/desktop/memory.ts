import { type Client, voteOn } from '@countersign/contract';
import { setTimeout as delay } from 'node:timers/promises';
import type { DesktopClient } from './desktop-client.js';

/** Numbers of changes after which memory is measured. */
export const MARKS: readonly number[] = [2_000, 6_000, 10_000];
const AT_ONCE = 8;
/** The list reloads at most this long after the last change, and old queries are discarded until then; in ms. */
const REST_MS = 1_500;
/** The lowest of a few measurements: memory not collected yet is not growth. */
const LOOKS = 3;

/** In MiB. */
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

/** Requests and decides until the client has received a number of changes, and measures its memory at each mark. */
export async function memoryTimes({
  client,
  operator,
  decider,
  workflowId,
  progress,
}: MemoryOptions): Promise<MemoryUse[]> {
  const uses: MemoryUse[] = [];
  const following = new AbortController();
  let changes = 0;
  const followed = count(operator, following.signal, () => (changes += 1));
  try {
    for (const mark of MARKS) {
      const one = async (): Promise<void> => {
        while (changes < mark) await askAndDecide(operator, decider, workflowId);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, one));
      await delay(REST_MS);
      uses.push(await memoryOf(client, changes));
      progress(`${changes} changes`);
    }
  } finally {
    following.abort();
    await followed;
  }
  return uses;
}

async function count(client: Client, signal: AbortSignal, onChange: () => void): Promise<void> {
  try {
    for await (const message of client.streamChanges({ signal })) if (message.type === 'change') onChange();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function askAndDecide(operator: Client, decider: Client, workflowId: string): Promise<void> {
  const { runId } = await operator.startRun({ body: { workflowId } });
  const [approval] = (await decider.listApprovals({ runId })).items;
  if (approval === undefined) throw new Error('The run has no pending approval.');
  await decider.decideApproval(voteOn(approval, { decision: 'approve', comment: 'As it should be.' }));
}

async function memoryOf({ app, page }: DesktopClient, changes: number): Promise<MemoryUse> {
  const session = await page.context().newCDPSession(page);
  const looks: Omit<MemoryUse, 'changes'>[] = [];
  try {
    await session.send('Performance.enable');
    for (let look = 0; look < LOOKS; look += 1) {
      await session.send('HeapProfiler.collectGarbage');
      const { usedSize } = await session.send('Runtime.getHeapUsage');
      const { metrics } = await session.send('Performance.getMetrics');
      const main = await app.evaluate(({ app: electron }) => {
        (globalThis as unknown as { gc(): void }).gc();
        const setOf = (type: string): number =>
          electron.getAppMetrics().find((each) => each.type === type)?.memory.workingSetSize ?? Number.NaN;
        return { heap: process.memoryUsage().heapUsed, mainSet: setOf('Browser'), windowSet: setOf('Tab') };
      });
      looks.push({
        windowHeap: usedSize / MIB,
        windowNodes: metrics.find(({ name }) => name === 'Nodes')?.value ?? Number.NaN,
        mainHeap: main.heap / MIB,
        windowSet: main.windowSet / 1024,
        mainSet: main.mainSet / 1024,
      });
      await delay(300);
    }
  } finally {
    await session.detach();
  }
  const least = (of: keyof Omit<MemoryUse, 'changes'>): number => Math.min(...looks.map((each) => each[of]));
  return {
    changes,
    windowHeap: least('windowHeap'),
    windowNodes: least('windowNodes'),
    mainHeap: least('mainHeap'),
    windowSet: least('windowSet'),
    mainSet: least('mainSet'),
  };
}

const MIB = 1024 * 1024;
