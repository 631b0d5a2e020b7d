import { single, versionOf, type DifferentialCase } from '../case.js';
import {
  boundary,
  call,
  caught,
  cycle,
  duration,
  end,
  eventSub,
  gateway,
  message,
  pass,
  receive,
  scope,
  script,
  signal,
  start,
  sub,
  user,
  work,
  type ScopeContent,
} from '../model-text.js';
import type { Step } from '../side.js';
import { chain } from './chain.js';

interface Moves {
  readonly mapping: Readonly<Record<string, string>>;
  readonly refused?: true;
  readonly before?: readonly Step[];
  readonly after?: readonly Step[];
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** Returns a case in which a run migrates to another version. */
function moved(
  id: string,
  from: ScopeContent,
  to: ScopeContent,
  { mapping, refused, before = [], after = [], variables = {} }: Moves,
): DifferentialCase {
  const name = `migrate: ${id}`;
  const step: Step = {
    migrate: 'case',
    to: versionOf(name, to),
    mapping,
    ...(refused === undefined ? {} : { refused }),
  };
  return single(name, from, [...before, step, ...after], variables);
}

const forked = (one: string, other: string, join: string): ScopeContent => {
  const idOf = (element: string): string => /\bid="([^"]+)"/.exec(element)?.[1] ?? '';
  const [a, b] = [idOf(one), idOf(other)];
  return scope(
    [start(), gateway('parallel', 'fork'), one, other, gateway('parallel', join), end()],
    'start > fork',
    `fork > ${a}`,
    `fork > ${b}`,
    `${a} > ${join}`,
    `${b} > ${join}`,
    `${join} > end`,
  );
};

const guarded = (task: string, event: string, definition: string, interrupting = true, then = 'p'): ScopeContent =>
  scope(
    [start(), work(task), boundary(event, task, definition, interrupting), pass(then), end(), end('late')],
    'start > ' + task,
    `${task} > end`,
    `${event} > ${then}`,
    `${then} > late`,
  );

const unguarded = scope([start(), work('a'), end()], 'start > a', 'a > end');

const beside = (handler: string, definition: string, interrupting = true): ScopeContent =>
  scope(
    [
      start(),
      work('a'),
      eventSub(
        handler,
        scope(
          [start(`${handler}-on`, definition, interrupting), work(`${handler}-w`), end(`${handler}-off`)],
          `${handler}-on > ${handler}-w`,
          `${handler}-w > ${handler}-off`,
        ),
      ),
      end(),
    ],
    'start > a',
    'a > end',
  );

const inside = (id: string, ...elements: readonly string[]): ScopeContent =>
  chain('', sub(id, chain('s-', ...elements)));

/** Zeebe 8.6, "Process instance migration": active elements are mapped to those of the same type. */
export const MIGRATION_CASES: readonly DifferentialCase[] = [
  moved('a user task, with more behind it', chain('', user('u')), chain('', user('u'), script('s', 'x', '1')), {
    mapping: { u: 'u' },
    after: [{ approve: 'u' }],
  }),
  moved('a user task of another name', chain('', user('u')), chain('', user('v'), script('s', 'x', '1')), {
    mapping: { u: 'v' },
    after: [{ approve: 'v' }],
  }),
  moved(
    'a user task of Zeebe itself',
    chain('', user('u', { native: true })),
    chain('', user('v', { native: true }), pass('p')),
    { mapping: { u: 'v' }, after: [{ approve: 'v' }] },
  ),
  moved('a job that somebody has', chain('', work('a')), chain('', work('a'), pass('p')), {
    mapping: { a: 'a' },
    after: [{ complete: 'a', variables: { x: 1 } }],
  }),
  moved('a job that somebody has, of another name', chain('', work('a')), chain('', work('b'), pass('p')), {
    mapping: { a: 'b' },
    refused: true,
    after: [{ complete: 'a' }],
  }),
  moved(
    'outputs are those of the target',
    chain('', work('a', { outputs: { y: '1' } })),
    chain('', work('a', { outputs: { z: '2' } })),
    { mapping: { a: 'a' }, after: [{ complete: 'a' }] },
  ),
  moved('a message that is waited for', chain('', receive('r', 'm')), chain('', receive('r2', 'm'), pass('p')), {
    mapping: { r: 'r2' },
    after: [{ message: 'm', key: 'k', variables: { x: 1 } }],
  }),
  moved(
    'a catch event for a message',
    chain('', caught('c', message('m'))),
    chain('', caught('d', message('m')), pass('p')),
    { mapping: { c: 'd' }, after: [{ message: 'm', key: 'k', variables: { x: 1 } }] },
  ),
  moved(
    'a catch event for another message keeps waiting for the first',
    chain('', caught('c', message('m'))),
    chain('', caught('d', message('n')), pass('p')),
    {
      mapping: { c: 'd' },
      after: [
        { message: 'n', key: 'k' },
        { message: 'm', key: 'k' },
      ],
    },
  ),
  moved(
    'a timer keeps its due date',
    chain('', caught('t', duration('PT1H'))),
    chain('', caught('u', duration('PT5H')), pass('p')),
    { mapping: { t: 'u' }, before: [{ advance: 'PT30M' }], after: [{ advance: 'PT30M' }] },
  ),
  moved(
    'a signal that is waited for',
    chain('', caught('c', signal('s'))),
    chain('', caught('d', signal('s')), pass('p')),
    { mapping: { c: 'd' }, after: [{ signal: 's' }] },
  ),
  moved('an event of another kind', chain('', caught('c', message('m'))), chain('', caught('c', duration('PT1H'))), {
    mapping: { c: 'c' },
    refused: true,
    after: [{ message: 'm', key: 'k' }],
  }),
  moved('a task of another type', chain('', user('u')), chain('', work('u')), {
    mapping: { u: 'u' },
    refused: true,
    after: [{ approve: 'u' }],
  }),
  moved('an active element that is not mapped', chain('', user('u')), chain('', user('v')), {
    mapping: {},
    refused: true,
    after: [{ approve: 'u' }],
  }),
  moved('a mapping from nowhere', chain('', user('u')), chain('', user('u')), {
    mapping: { u: 'u', nobody: 'u' },
    refused: true,
    after: [{ approve: 'u' }],
  }),
  moved('a mapping to nowhere', chain('', user('u')), chain('', user('v')), {
    mapping: { u: 'nowhere' },
    refused: true,
    after: [{ approve: 'u' }],
  }),
  moved('into a sub-process', chain('', user('u')), inside('sub', user('u')), {
    mapping: { u: 'u' },
    refused: true,
    after: [{ approve: 'u' }],
  }),
  moved('within a sub-process', inside('sub', user('u')), inside('box', user('v'), pass('p')), {
    mapping: { sub: 'box', u: 'v' },
    after: [{ approve: 'v' }],
  }),
  moved('a step that has failed', chain('', work('a')), chain('', work('a'), pass('p')), {
    mapping: { a: 'a' },
    before: [{ fail: 'a' }],
    after: [{ recover: 'case' }, { complete: 'a' }],
  }),
  moved('a step that has failed, of another name', chain('', work('a')), chain('', work('b'), pass('p')), {
    mapping: { a: 'b' },
    before: [{ fail: 'a' }],
    after: [{ recover: 'case' }, { complete: 'b' }],
  }),
  moved(
    'an expression that is mended by the target',
    chain('', script('s', 'y', 'assert(x, x > 1)')),
    chain('', script('s', 'y', 'x + 1')),
    { mapping: { s: 's' }, after: [{ recover: 'case' }], variables: { x: 1 } },
  ),
  moved(
    'a gateway that had no way',
    scope([start(), gateway('exclusive', 'g'), pass('a'), end()], 'start > g', 'g > a : x > 5', 'a > end'),
    scope([start(), gateway('exclusive', 'g'), pass('a'), end()], 'start > g', 'g > a : x > 0', 'a > end'),
    { mapping: { g: 'g' }, after: [{ recover: 'case' }], variables: { x: 1 } },
  ),

  moved(
    'a boundary timer that both have keeps its due date',
    guarded('a', 't', duration('PT1H')),
    guarded('a', 't', duration('PT5H')),
    { mapping: { a: 'a', t: 't' }, before: [{ advance: 'PT30M' }], after: [{ advance: 'PT30M' }] },
  ),
  moved(
    'a boundary timer of another name',
    guarded('a', 't', duration('PT1H')),
    guarded('a', 'late-t', duration('PT1H'), true, 'q'),
    { mapping: { a: 'a', t: 'late-t' }, after: [{ advance: 'PT1H' }] },
  ),
  moved('a boundary event that only the target has', unguarded, guarded('a', 't', duration('PT1H')), {
    mapping: { a: 'a' },
    before: [{ advance: 'PT30M' }],
    after: [{ advance: 'PT30M' }, { advance: 'PT30M' }],
  }),
  moved('a boundary event that the target does not have', guarded('a', 't', duration('PT1H')), unguarded, {
    mapping: { a: 'a' },
    after: [{ advance: 'PT2H' }, { complete: 'a' }],
  }),
  moved(
    'a boundary event that is not mapped, of both',
    guarded('a', 'm', message('m')),
    guarded('a', 'n', message('n')),
    {
      mapping: { a: 'a' },
      after: [
        { message: 'm', key: 'k' },
        { message: 'n', key: 'k' },
      ],
    },
  ),
  moved(
    'a boundary message that interrupts no more',
    guarded('a', 'm', message('m')),
    guarded('a', 'm', message('m'), false),
    { mapping: { a: 'a', m: 'm' }, after: [{ message: 'm', key: 'k' }, { complete: 'a' }] },
  ),
  moved(
    'a boundary cycle that has begun',
    guarded('a', 't', cycle('R3/PT1H'), false),
    guarded('a', 't', cycle('R3/PT1H'), false),
    { mapping: { a: 'a', t: 't' }, before: [{ advance: 'PT1H' }], after: [{ advance: 'PT3H' }, { complete: 'a' }] },
  ),
  moved('a boundary event of another kind', guarded('a', 't', duration('PT1H')), guarded('a', 't', message('m')), {
    mapping: { a: 'a', t: 't' },
    refused: true,
    after: [{ complete: 'a' }],
  }),
  moved('an event sub-process that both have', beside('h', message('m')), beside('h', message('m')), {
    mapping: { 'a': 'a', 'h-on': 'h-on' },
    after: [{ message: 'm', key: 'k' }, { complete: 'h-w' }],
  }),
  moved('an event sub-process that only the target has', unguarded, beside('h', message('m'), false), {
    mapping: { a: 'a' },
    after: [{ message: 'm', key: 'k' }, { complete: 'a' }, { complete: 'h-w' }],
  }),
  moved('an event sub-process that the target does not have', beside('h', message('m')), unguarded, {
    mapping: { a: 'a' },
    after: [{ message: 'm', key: 'k' }, { complete: 'a' }],
  }),
  moved('an event sub-process that is under way', beside('h', message('m'), false), beside('h', message('m'), false), {
    mapping: { 'a': 'a', 'h': 'h', 'h-on': 'h-on', 'h-w': 'h-w' },
    before: [{ message: 'm', key: 'k' }],
    after: [{ complete: 'h-w' }, { complete: 'a' }],
  }),

  moved('two branches', forked(user('a'), user('b'), 'join'), forked(user('c'), user('d'), 'join'), {
    mapping: { a: 'c', b: 'd' },
    after: [{ approve: 'c' }, { approve: 'd' }],
  }),
  moved('two that would become one', forked(user('a'), user('b'), 'join'), forked(user('c'), user('d'), 'join'), {
    mapping: { a: 'c', b: 'c' },
    refused: true,
    after: [{ approve: 'a' }, { approve: 'b' }],
  }),
  moved('a token that waits at a join', forked(user('a'), user('b'), 'join'), forked(user('a'), user('b'), 'join'), {
    mapping: { a: 'a', b: 'b', join: 'join' },
    before: [{ approve: 'a' }],
    after: [{ approve: 'b' }],
  }),
  moved(
    'the turns of a loop',
    chain('', work('a', { loop: { over: 'xs', as: 'x', collect: { into: 'ys', each: 'y' } } })),
    chain('', work('a', { loop: { over: 'xs', as: 'x', collect: { into: 'ys', each: 'y' } } }), pass('p')),
    {
      mapping: { a: 'a' },
      before: [{ complete: 'a', turn: 1, variables: { y: 1 } }],
      after: [{ complete: 'a', turn: 2, variables: { y: 2 } }],
      variables: { xs: [1, 2] },
    },
  ),
  moved(
    'a loop that would go one by one',
    chain('', user('a', { loop: { over: 'xs', as: 'x' } })),
    chain('', user('a', { loop: { over: 'xs', as: 'x', sequential: true } })),
    { mapping: { a: 'a' }, refused: true, variables: { xs: [1, 2] } },
  ),
  moved(
    'a task that would become a loop',
    chain('', user('a')),
    chain('', user('a', { loop: { over: 'xs', as: 'x' } })),
    { mapping: { a: 'a' }, refused: true, after: [{ approve: 'a' }], variables: { xs: [1, 2] } },
  ),
  moved(
    'a race of events',
    scope(
      [start(), gateway('eventBased', 'race'), caught('m', message('m')), caught('t', duration('PT1H')), end()],
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
        caught('m', message('m')),
        caught('t', duration('PT5H')),
        pass('p'),
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
  moved('a call that waits', chain('', call('c', 'case-called')), chain('', call('c', 'case-called'), pass('p')), {
    mapping: { c: 'c' },
    after: [{ recover: 'case' }],
  }),
  moved('back to where it was', chain('', user('u'), pass('p')), chain('', user('v'), pass('q')), {
    mapping: { u: 'v' },
    after: [
      { migrate: 'case', to: versionOf('migrate: back again', chain('', user('u'), pass('r'))), mapping: { v: 'u' } },
      { approve: 'u' },
    ],
  }),
  moved(
    'nothing else is done',
    chain('', user('u', { inputs: { p: 'x' }, outputs: { z: 'p' } })),
    chain('', user('u', { inputs: { p: 'x + 100' }, outputs: { z: 'p' } })),
    { mapping: { u: 'u' }, after: [{ approve: 'u' }], variables: { x: 1 } },
  ),
];
