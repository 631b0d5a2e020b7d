import { single, type DifferentialCase } from '../case.js';
import { caught, duration, end, gateway, message, pass, scope, script, signal, start, work } from '../model-text.js';

/** BPMN 2.0, 13.4. */
export const GATEWAY_CASES: readonly DifferentialCase[] = [
  single(
    'the order of flows: of two conditions that hold',
    scope([start(), gateway('exclusive', 'choice', 'c'), pass('a'), pass('b'), pass('c'), end()], 'start > choice', 'choice > a : x > 10', 'choice > b : x > 1', 'choice > c', 'a > end', 'b > end', 'c > end'),
    [],
    { x: 20 },
  ),
  single('the order of flows: behind a fork', scope([start(), gateway('parallel', 'fork'), pass('a'), pass('b'), end()], 'start > fork', 'fork > a', 'fork > b', 'a > end', 'b > end')),
  single(
    'exclusive: the first condition that holds',
    scope([start(), gateway('exclusive', 'choice', 'c'), pass('a'), pass('b'), pass('c'), end()], 'start > choice', 'choice > a : x > 10', 'choice > b : x > 1', 'choice > c', 'a > end', 'b > end', 'c > end'),
    [],
    { x: 20 },
  ),
  single(
    'exclusive: the default flow',
    scope([start(), gateway('exclusive', 'choice', 'c'), pass('a'), pass('c'), end()], 'start > choice', 'choice > a : x > 10', 'choice > c', 'a > end', 'c > end'),
    [],
    { x: 1 },
  ),
  single('exclusive: no flow holds', scope([start(), gateway('exclusive', 'choice'), pass('a'), pass('b'), end()], 'start > choice', 'choice > a : x > 10', 'choice > b : x > 20', 'a > end', 'b > end'), [], { x: 1 }),
  single('exclusive: the only flow has a condition that does not hold', scope([start(), gateway('exclusive', 'choice'), pass('a'), end()], 'start > choice', 'choice > a : x > 10', 'a > end'), [], { x: 1 }),
  single('exclusive: the only flow is the default', scope([start(), gateway('exclusive', 'choice', 'a'), pass('a'), end()], 'start > choice', 'choice > a', 'a > end')),
  single('exclusive: a condition of null', scope([start(), gateway('exclusive', 'choice', 'b'), pass('a'), pass('b'), end()], 'start > choice', 'choice > a : missing > 10', 'choice > b', 'a > end', 'b > end')),
  single('exclusive: a condition that is a text', scope([start(), gateway('exclusive', 'choice', 'b'), pass('a'), pass('b'), end()], 'start > choice', 'choice > a : x', 'choice > b', 'a > end', 'b > end'), [], { x: 'yes' }),
  single(
    'exclusive: a merge passes each token',
    scope([start(), gateway('parallel', 'fork'), pass('a'), pass('b'), gateway('exclusive', 'merge'), pass('after'), end()], 'start > fork', 'fork > a', 'fork > b', 'a > merge', 'b > merge', 'merge > after', 'after > end'),
  ),
  single(
    'parallel: fork and join',
    scope([start(), gateway('parallel', 'fork'), pass('a'), pass('b'), pass('c'), pass('b2'), gateway('parallel', 'join'), end()], 'start > fork', 'fork > a', 'fork > b', 'fork > c', 'a > join', 'b > b2', 'b2 > join', 'c > join', 'join > end'),
  ),
  single(
    'parallel: fork without a join, branches of different lengths',
    scope([start(), gateway('parallel', 'fork'), pass('a'), pass('a2'), pass('a3'), pass('b'), script('c', 'c', '1'), end('end-a'), end('end-b'), end('end-c')], 'start > fork', 'fork > a', 'fork > b', 'fork > c', 'a > a2', 'a2 > a3', 'a3 > end-a', 'b > end-b', 'c > end-c'),
  ),
  single(
    'parallel: jobs that are done in another order',
    scope([start(), gateway('parallel', 'fork'), work('a'), work('b'), gateway('parallel', 'join'), end()], 'start > fork', 'fork > a', 'fork > b', 'a > join', 'b > join', 'join > end'),
    [{ complete: 'b', variables: { x: 'b' } }, { complete: 'a', variables: { x: 'a' } }],
  ),
  single(
    'parallel: a join with two tokens on one flow',
    scope(
      [start(), gateway('parallel', 'fork'), pass('a'), pass('b'), gateway('exclusive', 'merge'), work('c'), gateway('parallel', 'join'), end()],
      'start > fork', 'fork > a', 'fork > b', 'fork > c', 'a > merge', 'b > merge', 'merge > join', 'c > join', 'join > end',
    ),
    [{ complete: 'c' }],
  ),
  single('parallel: several flows out of a task', scope([start(), pass('a'), pass('b'), pass('c'), end()], 'start > a', 'a > b', 'a > c', 'b > end', 'c > end')),
  single('parallel: several flows into a task', scope([start(), gateway('parallel', 'fork'), pass('a'), pass('b'), script('c', 'n', 'n + 1'), end()], 'start > fork', 'fork > a', 'fork > b', 'a > c', 'b > c', 'c > end'), [], { n: 0 }),
  single(
    'inclusive: all flows that hold',
    scope([start(), gateway('inclusive', 'split', 'd'), pass('a'), pass('b'), pass('c'), pass('d'), end()], 'start > split', 'split > a : x > 1', 'split > b : x > 100', 'split > c : x > 2', 'split > d', 'a > end', 'b > end', 'c > end', 'd > end'),
    [],
    { x: 5 },
  ),
  single('inclusive: the default flow', scope([start(), gateway('inclusive', 'split', 'd'), pass('a'), pass('d'), end()], 'start > split', 'split > a : x > 1', 'split > d', 'a > end', 'd > end'), [], { x: 0 }),
  single('inclusive: no flow holds', scope([start(), gateway('inclusive', 'split'), pass('a'), pass('b'), end()], 'start > split', 'split > a : x > 1', 'split > b : x > 2', 'a > end', 'b > end'), [], { x: 0 }),
  single(
    'inclusive: a join',
    scope([start(), gateway('inclusive', 'split'), work('a'), work('b'), gateway('inclusive', 'join'), end()], 'start > split', 'split > a : x > 1', 'split > b : x > 2', 'a > join', 'b > join', 'join > end'),
    [{ complete: 'a' }, { complete: 'b' }],
    { x: 5 },
  ),
  single(
    'event-based: a message before a timer',
    scope([start(), gateway('eventBased', 'race'), caught('msg', message('m')), caught('time', duration('PT1H')), pass('a'), pass('b'), end()], 'start > race', 'race > msg', 'race > time', 'msg > a', 'time > b', 'a > end', 'b > end'),
    [{ message: 'm', key: 'k', variables: { got: 1 } }, { advance: 'PT2H' }],
  ),
  single(
    'event-based: a timer before a signal',
    scope([start(), gateway('eventBased', 'race'), caught('sig', signal('s')), caught('time', duration('PT1H')), pass('a'), pass('b'), end()], 'start > race', 'race > sig', 'race > time', 'sig > a', 'time > b', 'a > end', 'b > end'),
    [{ advance: 'PT2H' }, { signal: 's' }],
  ),
  single(
    'event-based: two messages',
    scope([start(), gateway('eventBased', 'race'), caught('m1', message('one')), caught('m2', message('two')), end()], 'start > race', 'race > m1', 'race > m2', 'm1 > end', 'm2 > end'),
    [{ message: 'two', key: 'other' }, { message: 'two', key: 'k' }, { message: 'one', key: 'k' }],
  ),
];
