import { expect } from 'chai';
import fc from 'fast-check';
import type { ElementInstance } from '@countersign/model';
import { approval, end, flows, compileGraph, job, script, start, TestRun, user } from '../interpreter.spec.support.js';
import { isOwnWait } from '../steps.js';
import { boundaryTimer, catchTimer, eventSubProcess, migrateTo, subProcess } from './migrate.spec.support.js';

/** A process as nested blocks: leaves wait or compute, other blocks combine them. */
type Block =
  | { readonly kind: 'job' | 'timer' | 'approval' | 'script' | 'guarded' | 'multiInstance' }
  | { readonly kind: 'sequence' | 'parallel' | 'inclusive' | 'exclusive'; readonly parts: readonly Block[] }
  | { readonly kind: 'sub'; readonly parts: readonly Block[] };

interface WrittenBlock {
  readonly xml: string;
  readonly first: string;
  readonly last: string;
}

/** An approval whose subject does not depend on other approval decisions. */
const approvalTask = (id: string): string =>
  approval(id, '<zeebe:ioMapping><zeebe:input source="=n" target="amount"/></zeebe:ioMapping>');

/** Writes a block. Ids start with a letter, so that another letter gives the same BPMN model with other ids. */
function writeBlock(block: Block, letter: string, ids: { next: number }): WrittenBlock {
  ids.next += 1;
  const id = `${letter}${ids.next}`;
  switch (block.kind) {
    case 'job':
      return { xml: job(id, '', 'work'), first: id, last: id };
    case 'timer':
      return { xml: catchTimer(id, 'PT1H'), first: id, last: id };
    case 'approval':
      return { xml: approvalTask(id), first: id, last: id };
    case 'script':
      return { xml: script(id, '=1', 'one'), first: id, last: id };
    case 'guarded':
      return {
        xml: `${approvalTask(id)}${boundaryTimer(`${id}_late`, id, 'PT9H', false)}<bpmn:endEvent id="${id}_over"/>${flows(`${id}_late > ${id}_over`)}`,
        first: id,
        last: id,
      };
    case 'multiInstance': {
      const loopXml =
        '<bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=[1,2]" inputElement="item"/></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics></bpmn:userTask>';
      return { xml: approvalTask(id).replace('</bpmn:userTask>', loopXml), first: id, last: id };
    }
    case 'sequence': {
      const parts = block.parts.map((part) => writeBlock(part, letter, ids));
      const arrows = parts.slice(1).map((part, index) => `${parts[index]?.last ?? ''} > ${part.first}`);
      return {
        xml: parts.map((part) => part.xml).join('') + flows(...arrows),
        first: parts[0]?.first ?? '',
        last: parts.at(-1)?.last ?? '',
      };
    }
    case 'sub': {
      const inner = writeBlock({ kind: 'sequence', parts: block.parts }, letter, ids);
      const events = eventSubProcess(`${id}_event`, 'reminder');
      return {
        xml: subProcess(
          id,
          `<bpmn:startEvent id="${id}_s"/>${inner.xml}<bpmn:endEvent id="${id}_e"/>${events}${flows(`${id}_s > ${inner.first}`, `${inner.last} > ${id}_e`)}`,
        ),
        first: id,
        last: id,
      };
    }
    default: {
      const gateway = `${block.kind}Gateway`;
      const parts = block.parts.map((part) => writeBlock(part, letter, ids));
      const formatCondition = (index: number): string => (block.kind === 'parallel' ? '' : `: =n >= ${index}`);
      const arrows = parts.flatMap(({ first, last }, index) => [
        `${id} > ${first}${formatCondition(index)}`,
        `${last} > ${id}_join`,
      ]);
      return {
        xml: `<bpmn:${gateway} id="${id}"/><bpmn:${gateway} id="${id}_join"/>${parts.map((part) => part.xml).join('')}${flows(...arrows)}`,
        first: id,
        last: `${id}_join`,
      };
    }
  }
}

function writeModel(block: Block, letter: string): string {
  const { xml, first, last } = writeBlock(block, letter, { next: 0 });
  return start + xml + end + flows(`start > ${first}`, `${last} > end`);
}

const arbitraryBlock = (
  leaves: readonly ('job' | 'timer' | 'approval' | 'script' | 'guarded' | 'multiInstance')[],
): fc.Arbitrary<Block> =>
  fc.letrec<{ block: Block; leaf: Block }>((tie) => {
    const parts = fc.array(tie('block'), { minLength: 2, maxLength: 3 });
    return {
      leaf: fc.constantFrom(...leaves).map((kind) => ({ kind })),
      block: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        tie('leaf'),
        fc.record({ kind: fc.constantFrom('sequence', 'parallel', 'inclusive', 'exclusive'), parts }),
        fc.record({ kind: fc.constant('sub' as const), parts }),
      ),
    };
  }).block;

/** Returns the instances with a wait of the element itself, oldest first. */
function listWaitingInstances(run: TestRun): ElementInstance[] {
  return Object.values(run.state?.instances ?? {}).filter(
    (each) => each.waits?.some((wait) => isOwnWait(each, wait)) === true,
  );
}

/** Executes the command that the chosen instance waits for. */
function proceed(run: TestRun, choice: number): void {
  const waitingInstances = listWaitingInstances(run);
  const instance = waitingInstances[choice % waitingInstances.length];
  const wait = instance?.waits?.find((each) => isOwnWait(instance, each));
  if (wait?.kind === 'job')
    run.do({ type: 'job.complete', actor: user('w'), jobId: wait.jobId, output: {}, agentName: null });
  else if (wait?.kind === 'timer') run.do({ type: 'timer.fire', actor: user('t'), timerId: wait.timerId });
  else if (wait?.kind === 'approval')
    run.do({
      type: 'approval.vote',
      actor: user('ann'),
      approvalId: wait.approval.approvalId,
      decision: 'approve',
      comment: null,
      expectedDigest: null,
      expectedRound: null,
    });
  else throw new Error(`no instance waits for a command; tokens at ${run.tokens().join(', ')}`);
}

interface RunResult {
  readonly completed: readonly string[];
  readonly outcome: string | null | undefined;
}

/** Executes a run to its end. With more than one letter, migrates it after every command. */
async function drive(
  block: Block,
  letters: readonly string[],
  choices: readonly number[],
  n: number,
): Promise<RunResult> {
  const graphs = await Promise.all(letters.map((letter) => compileGraph(writeModel(block, letter))));
  const ids = graphs.map((graph) => [...graph.nodes.keys()]);
  let run = new TestRun(graphs[0] ?? (await compileGraph(writeModel(block, 'a'))));
  run.start({ n, key: 'k' });
  for (let step = 0; run.state?.outcome === null; step += 1) {
    if (letters.length > 1) {
      const [from, to] = [step % letters.length, (step + 1) % letters.length];
      const mapping = Object.fromEntries((ids[from] ?? []).map((id, index) => [id, ids[to]?.[index] ?? '']));
      const target = graphs[to];
      if (target === undefined) throw new Error('no graph');
      const { run: migratedRun, refusals } = await migrateTo(
        run,
        target,
        letters[from] === letters[to] ? {} : mapping,
        {
          workflowVersion: step + 2,
        },
      );
      expect(refusals).to.deep.equal([]);
      run = migratedRun;
    }
    proceed(run, choices[step % choices.length] ?? 0);
  }
  return {
    completed: run.completedElementIds().map((id) => id.replace(/^[ab](?=\d)/, '')),
    outcome: run.state?.outcome,
  };
}

describe('advance(): a migration after every command', function () {
  this.timeout(120_000);

  const choices = fc.array(fc.nat(7), { minLength: 1, maxLength: 8 });
  const check = async (leaves: Parameters<typeof arbitraryBlock>[0], letters: readonly string[]): Promise<void> => {
    await fc.assert(
      fc.asyncProperty(arbitraryBlock(leaves), choices, fc.nat(2), async (block, chosen, n) => {
        expect(await drive(block, letters, chosen, n)).to.deep.equal(await drive(block, ['a'], chosen, n));
      }),
      { numRuns: 25 },
    );
  };

  it('should not change the outcome of a run if both versions are the same', async () => {
    await check(['job', 'timer', 'approval', 'script', 'guarded', 'multiInstance'], ['a', 'a']);
  });

  it('should not change the outcome of a run if every element has another id', async () => {
    await check(['timer', 'approval', 'script', 'guarded', 'multiInstance'], ['a', 'b']);
  });
});
