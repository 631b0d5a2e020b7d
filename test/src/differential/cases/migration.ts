import { singleProcessCase, laterVersion, type DifferentialCase } from '../case.js';
import {
  boundaryEvent,
  callActivity,
  catchEvent,
  cycle,
  duration,
  end,
  eventSubProcess,
  gateway,
  message,
  plainTask,
  receiveTask,
  scope,
  scriptTask,
  signal,
  start,
  subProcess,
  userTask,
  jobTask,
  type ScopeContent,
} from '../model-text.js';
import type { Step } from '../side.js';
import { chain } from './chain.js';

interface MigrationOptions {
  readonly mapping: Readonly<Record<string, string>>;
  readonly refused?: true;
  readonly before?: readonly Step[];
  readonly after?: readonly Step[];
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** Returns a case in which a run migrates to another version. */
function migrationCase(
  id: string,
  from: ScopeContent,
  to: ScopeContent,
  { mapping, refused, before = [], after = [], variables = {} }: MigrationOptions,
): DifferentialCase {
  const name = `migrate: ${id}`;
  const step: Step = {
    migrate: 'case',
    to: laterVersion(name, to),
    mapping,
    ...(refused === undefined ? {} : { refused }),
  };
  return singleProcessCase(name, from, [...before, step, ...after], variables);
}

const parallelTasks = (firstTask: string, secondTask: string, join: string): ScopeContent => {
  const readId = (element: string): string => /\bid="([^"]+)"/.exec(element)?.[1] ?? '';
  const [firstId, secondId] = [readId(firstTask), readId(secondTask)];
  return scope(
    [start(), gateway('parallel', 'fork'), firstTask, secondTask, gateway('parallel', join), end()],
    'start > fork',
    `fork > ${firstId}`,
    `fork > ${secondId}`,
    `${firstId} > ${join}`,
    `${secondId} > ${join}`,
    `${join} > end`,
  );
};

const taskWithBoundary = (
  task: string,
  event: string,
  definition: string,
  interrupting = true,
  nextTask = 'p',
): ScopeContent =>
  scope(
    [
      start(),
      jobTask(task),
      boundaryEvent(event, task, definition, interrupting),
      plainTask(nextTask),
      end(),
      end('late'),
    ],
    'start > ' + task,
    `${task} > end`,
    `${event} > ${nextTask}`,
    `${nextTask} > late`,
  );

const TASK_WITHOUT_BOUNDARY = scope([start(), jobTask('a'), end()], 'start > a', 'a > end');

const taskWithEventSubProcess = (handler: string, definition: string, interrupting = true): ScopeContent =>
  scope(
    [
      start(),
      jobTask('a'),
      eventSubProcess(
        handler,
        scope(
          [start(`${handler}-on`, definition, interrupting), jobTask(`${handler}-w`), end(`${handler}-off`)],
          `${handler}-on > ${handler}-w`,
          `${handler}-w > ${handler}-off`,
        ),
      ),
      end(),
    ],
    'start > a',
    'a > end',
  );

const nestedChain = (id: string, ...elements: readonly string[]): ScopeContent =>
  chain('', subProcess(id, chain('s-', ...elements)));

/** Cases for "Process instance migration" of Zeebe 8.6: active elements are mapped to elements of the same type. */
export const MIGRATION_CASES: readonly DifferentialCase[] = [
  migrationCase(
    'a user task, with more behind it',
    chain('', userTask('u')),
    chain('', userTask('u'), scriptTask('s', 'x', '1')),
    {
      mapping: { u: 'u' },
      after: [{ approve: 'u' }],
    },
  ),
  migrationCase(
    'a user task of another name',
    chain('', userTask('u')),
    chain('', userTask('v'), scriptTask('s', 'x', '1')),
    {
      mapping: { u: 'v' },
      after: [{ approve: 'v' }],
    },
  ),
  migrationCase(
    'a user task of Zeebe itself',
    chain('', userTask('u', { native: true })),
    chain('', userTask('v', { native: true }), plainTask('p')),
    { mapping: { u: 'v' }, after: [{ approve: 'v' }] },
  ),
  migrationCase('a job that somebody has', chain('', jobTask('a')), chain('', jobTask('a'), plainTask('p')), {
    mapping: { a: 'a' },
    after: [{ complete: 'a', variables: { x: 1 } }],
  }),
  migrationCase(
    'a job that somebody has, of another name',
    chain('', jobTask('a')),
    chain('', jobTask('b'), plainTask('p')),
    {
      mapping: { a: 'b' },
      refused: true,
      after: [{ complete: 'a' }],
    },
  ),
  migrationCase(
    'outputs are those of the target',
    chain('', jobTask('a', { outputs: { y: '1' } })),
    chain('', jobTask('a', { outputs: { z: '2' } })),
    { mapping: { a: 'a' }, after: [{ complete: 'a' }] },
  ),
  migrationCase(
    'a message that is waited for',
    chain('', receiveTask('r', 'm')),
    chain('', receiveTask('r2', 'm'), plainTask('p')),
    {
      mapping: { r: 'r2' },
      after: [{ message: 'm', key: 'k', variables: { x: 1 } }],
    },
  ),
  migrationCase(
    'a catch event for a message',
    chain('', catchEvent('c', message('m'))),
    chain('', catchEvent('d', message('m')), plainTask('p')),
    { mapping: { c: 'd' }, after: [{ message: 'm', key: 'k', variables: { x: 1 } }] },
  ),
  migrationCase(
    'a catch event for another message keeps waiting for the first',
    chain('', catchEvent('c', message('m'))),
    chain('', catchEvent('d', message('n')), plainTask('p')),
    {
      mapping: { c: 'd' },
      after: [
        { message: 'n', key: 'k' },
        { message: 'm', key: 'k' },
      ],
    },
  ),
  migrationCase(
    'a timer keeps its due date',
    chain('', catchEvent('t', duration('PT1H'))),
    chain('', catchEvent('u', duration('PT5H')), plainTask('p')),
    { mapping: { t: 'u' }, before: [{ advance: 'PT30M' }], after: [{ advance: 'PT30M' }] },
  ),
  migrationCase(
    'a signal that is waited for',
    chain('', catchEvent('c', signal('s'))),
    chain('', catchEvent('d', signal('s')), plainTask('p')),
    { mapping: { c: 'd' }, after: [{ signal: 's' }] },
  ),
  migrationCase(
    'an event of another kind',
    chain('', catchEvent('c', message('m'))),
    chain('', catchEvent('c', duration('PT1H'))),
    {
      mapping: { c: 'c' },
      refused: true,
      after: [{ message: 'm', key: 'k' }],
    },
  ),
  migrationCase('a task of another type', chain('', userTask('u')), chain('', jobTask('u')), {
    mapping: { u: 'u' },
    refused: true,
    after: [{ approve: 'u' }],
  }),
  migrationCase('an active element that is not mapped', chain('', userTask('u')), chain('', userTask('v')), {
    mapping: {},
    refused: true,
    after: [{ approve: 'u' }],
  }),
  migrationCase('a mapping from nowhere', chain('', userTask('u')), chain('', userTask('u')), {
    mapping: { u: 'u', nobody: 'u' },
    refused: true,
    after: [{ approve: 'u' }],
  }),
  migrationCase('a mapping to nowhere', chain('', userTask('u')), chain('', userTask('v')), {
    mapping: { u: 'nowhere' },
    refused: true,
    after: [{ approve: 'u' }],
  }),
  migrationCase('into a sub-process', chain('', userTask('u')), nestedChain('sub', userTask('u')), {
    mapping: { u: 'u' },
    refused: true,
    after: [{ approve: 'u' }],
  }),
  migrationCase(
    'within a sub-process',
    nestedChain('sub', userTask('u')),
    nestedChain('box', userTask('v'), plainTask('p')),
    {
      mapping: { sub: 'box', u: 'v' },
      after: [{ approve: 'v' }],
    },
  ),
  migrationCase('a step that has failed', chain('', jobTask('a')), chain('', jobTask('a'), plainTask('p')), {
    mapping: { a: 'a' },
    before: [{ fail: 'a' }],
    after: [{ recover: 'case' }, { complete: 'a' }],
  }),
  migrationCase(
    'a step that has failed, of another name',
    chain('', jobTask('a')),
    chain('', jobTask('b'), plainTask('p')),
    {
      mapping: { a: 'b' },
      before: [{ fail: 'a' }],
      after: [{ recover: 'case' }, { complete: 'b' }],
    },
  ),
  migrationCase(
    'an expression that is mended by the target',
    chain('', scriptTask('s', 'y', 'assert(x, x > 1)')),
    chain('', scriptTask('s', 'y', 'x + 1')),
    { mapping: { s: 's' }, after: [{ recover: 'case' }], variables: { x: 1 } },
  ),
  migrationCase(
    'a gateway that had no way',
    scope([start(), gateway('exclusive', 'g'), plainTask('a'), end()], 'start > g', 'g > a : x > 5', 'a > end'),
    scope([start(), gateway('exclusive', 'g'), plainTask('a'), end()], 'start > g', 'g > a : x > 0', 'a > end'),
    { mapping: { g: 'g' }, after: [{ recover: 'case' }], variables: { x: 1 } },
  ),

  migrationCase(
    'a boundary timer that both have keeps its due date',
    taskWithBoundary('a', 't', duration('PT1H')),
    taskWithBoundary('a', 't', duration('PT5H')),
    { mapping: { a: 'a', t: 't' }, before: [{ advance: 'PT30M' }], after: [{ advance: 'PT30M' }] },
  ),
  migrationCase(
    'a boundary timer of another name',
    taskWithBoundary('a', 't', duration('PT1H')),
    taskWithBoundary('a', 'late-t', duration('PT1H'), true, 'q'),
    { mapping: { a: 'a', t: 'late-t' }, after: [{ advance: 'PT1H' }] },
  ),
  migrationCase(
    'a boundary event that only the target has',
    TASK_WITHOUT_BOUNDARY,
    taskWithBoundary('a', 't', duration('PT1H')),
    {
      mapping: { a: 'a' },
      before: [{ advance: 'PT30M' }],
      after: [{ advance: 'PT30M' }, { advance: 'PT30M' }],
    },
  ),
  migrationCase(
    'a boundary event that the target does not have',
    taskWithBoundary('a', 't', duration('PT1H')),
    TASK_WITHOUT_BOUNDARY,
    {
      mapping: { a: 'a' },
      after: [{ advance: 'PT2H' }, { complete: 'a' }],
    },
  ),
  migrationCase(
    'a boundary event that is not mapped, of both',
    taskWithBoundary('a', 'm', message('m')),
    taskWithBoundary('a', 'n', message('n')),
    {
      mapping: { a: 'a' },
      after: [
        { message: 'm', key: 'k' },
        { message: 'n', key: 'k' },
      ],
    },
  ),
  migrationCase(
    'a boundary message that interrupts no more',
    taskWithBoundary('a', 'm', message('m')),
    taskWithBoundary('a', 'm', message('m'), false),
    { mapping: { a: 'a', m: 'm' }, after: [{ message: 'm', key: 'k' }, { complete: 'a' }] },
  ),
  migrationCase(
    'a boundary cycle that has begun',
    taskWithBoundary('a', 't', cycle('R3/PT1H'), false),
    taskWithBoundary('a', 't', cycle('R3/PT1H'), false),
    { mapping: { a: 'a', t: 't' }, before: [{ advance: 'PT1H' }], after: [{ advance: 'PT3H' }, { complete: 'a' }] },
  ),
  migrationCase(
    'a boundary event of another kind',
    taskWithBoundary('a', 't', duration('PT1H')),
    taskWithBoundary('a', 't', message('m')),
    {
      mapping: { a: 'a', t: 't' },
      refused: true,
      after: [{ complete: 'a' }],
    },
  ),
  migrationCase(
    'an event sub-process that both have',
    taskWithEventSubProcess('h', message('m')),
    taskWithEventSubProcess('h', message('m')),
    {
      mapping: { 'a': 'a', 'h-on': 'h-on' },
      after: [{ message: 'm', key: 'k' }, { complete: 'h-w' }],
    },
  ),
  migrationCase(
    'an event sub-process that only the target has',
    TASK_WITHOUT_BOUNDARY,
    taskWithEventSubProcess('h', message('m'), false),
    {
      mapping: { a: 'a' },
      after: [{ message: 'm', key: 'k' }, { complete: 'a' }, { complete: 'h-w' }],
    },
  ),
  migrationCase(
    'an event sub-process that the target does not have',
    taskWithEventSubProcess('h', message('m')),
    TASK_WITHOUT_BOUNDARY,
    {
      mapping: { a: 'a' },
      after: [{ message: 'm', key: 'k' }, { complete: 'a' }],
    },
  ),
  migrationCase(
    'an event sub-process that is under way',
    taskWithEventSubProcess('h', message('m'), false),
    taskWithEventSubProcess('h', message('m'), false),
    {
      mapping: { 'a': 'a', 'h': 'h', 'h-on': 'h-on', 'h-w': 'h-w' },
      before: [{ message: 'm', key: 'k' }],
      after: [{ complete: 'h-w' }, { complete: 'a' }],
    },
  ),

  migrationCase(
    'two branches',
    parallelTasks(userTask('a'), userTask('b'), 'join'),
    parallelTasks(userTask('c'), userTask('d'), 'join'),
    {
      mapping: { a: 'c', b: 'd' },
      after: [{ approve: 'c' }, { approve: 'd' }],
    },
  ),
  migrationCase(
    'two that would become one',
    parallelTasks(userTask('a'), userTask('b'), 'join'),
    parallelTasks(userTask('c'), userTask('d'), 'join'),
    {
      mapping: { a: 'c', b: 'c' },
      refused: true,
      after: [{ approve: 'a' }, { approve: 'b' }],
    },
  ),
  migrationCase(
    'a token that waits at a join',
    parallelTasks(userTask('a'), userTask('b'), 'join'),
    parallelTasks(userTask('a'), userTask('b'), 'join'),
    {
      mapping: { a: 'a', b: 'b', join: 'join' },
      before: [{ approve: 'a' }],
      after: [{ approve: 'b' }],
    },
  ),
  migrationCase(
    'the turns of a loop',
    chain('', jobTask('a', { loop: { over: 'xs', as: 'x', collect: { into: 'ys', each: 'y' } } })),
    chain('', jobTask('a', { loop: { over: 'xs', as: 'x', collect: { into: 'ys', each: 'y' } } }), plainTask('p')),
    {
      mapping: { a: 'a' },
      before: [{ complete: 'a', turn: 1, variables: { y: 1 } }],
      after: [{ complete: 'a', turn: 2, variables: { y: 2 } }],
      variables: { xs: [1, 2] },
    },
  ),
  migrationCase(
    'a loop that would go one by one',
    chain('', userTask('a', { loop: { over: 'xs', as: 'x' } })),
    chain('', userTask('a', { loop: { over: 'xs', as: 'x', sequential: true } })),
    { mapping: { a: 'a' }, refused: true, variables: { xs: [1, 2] } },
  ),
  migrationCase(
    'a task that would become a loop',
    chain('', userTask('a')),
    chain('', userTask('a', { loop: { over: 'xs', as: 'x' } })),
    { mapping: { a: 'a' }, refused: true, after: [{ approve: 'a' }], variables: { xs: [1, 2] } },
  ),
  migrationCase(
    'a race of events',
    scope(
      [start(), gateway('eventBased', 'race'), catchEvent('m', message('m')), catchEvent('t', duration('PT1H')), end()],
      'start > race',
      'race > m',
      'race > t',
      'm > end',
      't > end',
    ),
    scope(
      [
        start(),
        gateway('eventBased', 'race'),
        catchEvent('m', message('m')),
        catchEvent('t', duration('PT5H')),
        plainTask('p'),
        end(),
      ],
      'start > race',
      'race > m',
      'race > t',
      'm > p',
      't > end',
      'p > end',
    ),
    { mapping: { race: 'race', m: 'm', t: 't' }, after: [{ message: 'm', key: 'k', variables: { x: 1 } }] },
  ),
  migrationCase(
    'a call that waits',
    chain('', callActivity('c', 'case-called')),
    chain('', callActivity('c', 'case-called'), plainTask('p')),
    {
      mapping: { c: 'c' },
      after: [{ recover: 'case' }],
    },
  ),
  migrationCase(
    'back to where it was',
    chain('', userTask('u'), plainTask('p')),
    chain('', userTask('v'), plainTask('q')),
    {
      mapping: { u: 'v' },
      after: [
        {
          migrate: 'case',
          to: laterVersion('migrate: back again', chain('', userTask('u'), plainTask('r'))),
          mapping: { v: 'u' },
        },
        { approve: 'u' },
      ],
    },
  ),
  migrationCase(
    'nothing else is done',
    chain('', userTask('u', { inputs: { p: 'x' }, outputs: { z: 'p' } })),
    chain('', userTask('u', { inputs: { p: 'x + 100' }, outputs: { z: 'p' } })),
    { mapping: { u: 'u' }, after: [{ approve: 'u' }], variables: { x: 1 } },
  ),
];
