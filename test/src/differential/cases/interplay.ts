import { several, single, type DifferentialCase } from '../case.js';
import { boundary, call, caught, cycle, date, duration, end, error, escalation, eventSub, gateway, message, pass, receive, scope, script, signal, start, sub, terminate, thrown, user, work } from '../model-text.js';
import { chain } from './chain.js';

const handler = (id: string, definition: string, interrupting: boolean, ...elements: readonly string[]): string => {
  const all = [`${id}-on`, ...elements.map((element) => /\bid="([^"]+)"/.exec(element)?.[1] ?? ''), `${id}-off`];
  return eventSub(id, scope([start(`${id}-on`, definition, interrupting), ...elements, end(`${id}-off`)], ...all.slice(1).map((each, index) => `${all[index] ?? ''} > ${each}`)));
};

/** Elements in pairs: what one does while the other is under way. */
export const INTERPLAY_CASES: readonly DifferentialCase[] = [
  single(
    'interplay: the scope waits for an event sub-process that did not interrupt it',
    scope([start(), work('a'), handler('h', message('m'), false, work('b')), end()], 'start > a', 'a > end'),
    [{ message: 'm', key: 'k' }, { complete: 'a' }],
  ),
  single(
    'interplay: a boundary event ends a sub-process with an event sub-process under way',
    scope([start(), sub('sub', scope([start('s'), work('a'), handler('h', message('m'), false, work('b')), end('e')], 's > a', 'a > e')), boundary('t', 'sub', duration('PT1H')), pass('p'), end(), end('late')], 'start > sub', 'sub > end', 't > p', 'p > late'),
    [{ message: 'm', key: 'k' }, { message: 'm', key: 'k' }, { advance: 'PT1H' }],
  ),
  single(
    'interplay: an event sub-process interrupts one that did not',
    scope([start(), work('a'), handler('one', message('m'), false, work('b')), handler('two', signal('s'), true, pass('c')), end()], 'start > a', 'a > end'),
    [{ message: 'm', key: 'k' }, { signal: 's' }],
  ),
  single(
    'interplay: a terminate end event in an event sub-process',
    scope([start(), work('a'), eventSub('h', scope([start('on', message('m'), false), gateway('parallel', 'fork'), work('b'), end('stop', terminate), end('off')], 'on > fork', 'fork > b', 'fork > stop', 'b > off')), end()], 'start > a', 'a > end'),
    [{ message: 'm', key: 'k' }, { complete: 'a' }],
  ),
  single(
    'interplay: a terminate end event ends one instance of a loop',
    chain('', sub('sub', scope([start('s'), gateway('parallel', 'fork'), work('a'), end('stop', terminate), end('e')], 's > fork', 'fork > a', 'fork > stop', 'a > e'), { loop: { over: 'xs', as: 'x', collect: { into: 'ys', each: 'x' } } })),
    [],
    { xs: [1, 2] },
  ),
  single(
    'interplay: an error in one instance of a loop, caught in it',
    chain('', sub('sub', scope([start('s'), work('a'), handler('h', error('E'), true, pass('b')), end('e')], 's > a', 'a > e'), { loop: { over: 'xs', as: 'x' } })),
    [{ throwError: 'a', code: 'E' }, { complete: 'a' }],
    { xs: [1, 2] },
  ),
  single(
    'interplay: an error in one instance of a loop, caught around the loop',
    scope([start(), sub('sub', chain('s-', work('a')), { loop: { over: 'xs', as: 'x' } }), boundary('b', 'sub', error('E')), pass('p'), end(), end('late')], 'start > sub', 'sub > end', 'b > p', 'p > late'),
    [{ throwError: 'a', code: 'E' }],
    { xs: [1, 2, 3] },
  ),
  single(
    'interplay: a timer that ends a sequential loop',
    scope([start(), work('a', { loop: { over: 'xs', as: 'x', sequential: true, collect: { into: 'ys', each: 'x' } } }), boundary('t', 'a', duration('PT1H')), pass('p'), end(), end('late')], 'start > a', 'a > end', 't > p', 'p > late'),
    [{ complete: 'a' }, { advance: 'PT1H' }],
    { xs: [1, 2] },
  ),
  single('interplay: a loop of receive tasks', chain('', receive('a', 'm', { loop: { over: 'xs', as: 'x', collect: { into: 'ys', each: 'got' } } })), [{ message: 'm', key: 'k', variables: { got: 1 } }, { message: 'm', key: 'k', variables: { got: 2 } }], { xs: [1, 2] }),
  single(
    'interplay: loops of receive tasks with keys of their own',
    chain('', sub('sub', chain('s-', receive('a', 'm')), { inputs: { key: 'x' }, loop: { over: 'xs', as: 'x', collect: { into: 'ys', each: 'got' } } })),
    [{ message: 'm', key: 'two', variables: { got: 2 } }, { message: 'm', key: 'one', variables: { got: 1 } }],
    { xs: ['one', 'two'] },
  ),
  single(
    'interplay: one signal for a catch event, a boundary event and an event sub-process',
    scope([start(), gateway('parallel', 'fork'), caught('c', signal('s')), work('a'), boundary('b', 'a', signal('s'), false), handler('h', signal('s'), false, pass('p')), end(), end('late')], 'start > fork', 'fork > c', 'fork > a', 'c > end', 'a > end', 'b > late'),
    [{ signal: 's', variables: { x: 1 } }, { complete: 'a' }],
  ),
  single(
    'interplay: one message for a catch event and a boundary event',
    scope([start(), gateway('parallel', 'fork'), caught('c', message('m')), work('a'), boundary('b', 'a', message('m'), false), end(), end('late')], 'start > fork', 'fork > c', 'fork > a', 'c > end', 'a > end', 'b > late'),
    [{ message: 'm', key: 'k', variables: { x: 1 } }, { complete: 'a' }],
  ),
  single(
    'interplay: a branch with an incident beside one that goes on',
    scope([start(), sub('sub', scope([start('s'), gateway('parallel', 'fork'), script('bad', 'x', 'assert(missing, missing != null)'), work('a'), end('e')], 's > fork', 'fork > bad', 'fork > a', 'bad > e', 'a > e')), end()], 'start > sub', 'sub > end'),
    [{ complete: 'a' }],
  ),
  single(
    'interplay: a boundary event ends a task with an incident',
    scope([start(), work('a'), boundary('b', 'a', message('m')), pass('p'), end(), end('late')], 'start > a', 'a > end', 'b > p', 'p > late'),
    [{ fail: 'a' }, { message: 'm', key: 'k' }],
  ),
  single(
    'interplay: a loop back by a gateway',
    scope([start(), gateway('exclusive', 'merge'), script('a', 'n', 'n + 1'), gateway('exclusive', 'again', 'end'), end()], 'start > merge', 'merge > a', 'a > again', 'again > merge : n < 3', 'again > end'),
    [],
    { n: 0 },
  ),
  single(
    'interplay: forks within forks',
    scope(
      [start(), gateway('parallel', 'f1'), gateway('parallel', 'f2'), pass('a'), pass('b'), pass('c'), gateway('parallel', 'j2'), gateway('parallel', 'j1'), end()],
      'start > f1', 'f1 > f2', 'f1 > c', 'f2 > a', 'f2 > b', 'a > j2', 'b > j2', 'j2 > j1', 'c > j1', 'j1 > end',
    ),
  ),
  single(
    'inclusive: a join waits for what may still come',
    scope(
      [start(), gateway('inclusive', 'split'), work('a'), work('b'), pass('c'), gateway('inclusive', 'join'), pass('after'), end()],
      'start > split', 'split > a : true', 'split > b : x > 1', 'split > c : x > 100', 'a > join', 'b > join', 'c > join', 'join > after', 'after > end',
    ),
    [{ complete: 'b' }, { complete: 'a' }],
    { x: 5 },
  ),
  single(
    'inclusive: a join behind a token that can not come any more',
    scope(
      [start(), gateway('inclusive', 'split'), work('a'), work('b'), gateway('exclusive', 'choice', 'aside'), pass('aside'), gateway('inclusive', 'join'), end(), end('off')],
      'start > split', 'split > a : true', 'split > b : true', 'a > join', 'b > choice', 'choice > join : x > 100', 'choice > aside', 'aside > off', 'join > end',
    ),
    [{ complete: 'a' }, { complete: 'b' }],
    { x: 5 },
  ),
  single('event-based: of two timers the one that is due first', scope([start(), gateway('eventBased', 'race'), caught('t1', duration('PT2H')), caught('t2', duration('PT1H')), end()], 'start > race', 'race > t1', 'race > t2', 't1 > end', 't2 > end'), [{ advance: 'PT3H' }]),
  single(
    'event-based: twice in a loop',
    scope([start(), gateway('exclusive', 'merge'), gateway('eventBased', 'race'), caught('m', message('m')), caught('t', duration('PT1H')), end()], 'start > merge', 'merge > race', 'race > m', 'race > t', 'm > merge', 't > end'),
    [{ message: 'm', key: 'k' }, { advance: 'PT30M' }, { message: 'm', key: 'k' }, { advance: 'PT59M' }, { advance: 'PT1M' }],
  ),
  single('timer: a date', chain('', caught('t', date('=date and time("2030-01-01T00:00:00Z")'))), []),
  single('timer: a date that is past', chain('', caught('t', date('2020-01-01T00:00:00Z')))),
  single('timer: a duration of nothing', chain('', caught('t', duration('PT0S'))), [{ advance: 'PT1S' }]),
  single('timer: a negative duration', chain('', caught('t', duration('PT-1H'))), [{ advance: 'PT1S' }]),
  single('timer: a negative duration by an expression', chain('', caught('t', duration('=duration("-PT1H")'))), [{ advance: 'PT1S' }]),
  single('timer: a cycle without end', scope([start(), work('a'), boundary('b', 'a', cycle('R/PT1H'), false), end(), end('late')], 'start > a', 'a > end', 'b > late'), [{ advance: 'PT5H' }, { complete: 'a' }]),
  several('timer: a start event with a cycle', { case: scope([start('start', cycle('R2/PT1H')), pass('p'), end()], 'start > p', 'p > end') }, [{ advance: 'PT5H' }]),
  { ...several('timer: a start event with a date', { case: scope([start('start', date('2020-01-01T00:00:00Z')), pass('p'), end()], 'start > p', 'p > end') }, [{ advance: 'PT1H' }]), alone: true },
  several('call: two levels, an error through both', {
    case: scope([start(), call('c', 'middle'), boundary('b', 'c', error('E')), end(), end('late')], 'start > c', 'c > end', 'b > late'),
    middle: chain('m-', call('mc', 'inner')),
    inner: scope([start('i-start'), end('i-end', error('E'))], 'i-start > i-end'),
  }, [{ start: 'case' }]),
  several('call: a terminate end event ends the child alone', { case: scope([start(), gateway('parallel', 'fork'), call('c', 'child'), work('a'), end()], 'start > fork', 'fork > c', 'fork > a', 'c > end', 'a > end'), child: scope([start('cs'), gateway('parallel', 'cf'), work('ca'), end('stop', terminate), end('ce')], 'cs > cf', 'cf > ca', 'cf > stop', 'ca > ce') }, [{ start: 'case' }, { complete: 'a' }]),
  several('call: an escalation that nothing catches', { case: chain('', call('c', 'child')), child: scope([start('cs'), end('ce', escalation('X'))], 'cs > ce') }, [{ start: 'case' }]),
  several('call: within a sub-process that is ended', {
    case: scope([start(), sub('sub', chain('s-', call('c', 'child'))), boundary('b', 'sub', message('m')), end(), end('late')], 'start > sub', 'sub > end', 'b > late'),
    child: chain('c-', work('a')),
  }, [{ start: 'case', variables: { key: 'k' } }, { message: 'm', key: 'k' }]),
  several('signal: thrown by one run for another', {
    waiting: chain('w-', caught('c', signal('s'))),
    throwing: chain('t-', thrown('t', signal('s'))),
  }, [{ start: 'waiting' }, { start: 'throwing' }]),
  single(
    'signal: thrown within what it interrupts',
    scope([start(), sub('sub', scope([start('s'), gateway('parallel', 'fork'), work('a'), thrown('t', signal('s')), pass('p'), end('e')], 's > fork', 'fork > a', 'fork > t', 't > p', 'a > e', 'p > e')), boundary('b', 'sub', signal('s')), pass('q'), end(), end('late')], 'start > sub', 'sub > end', 'b > q', 'q > late'),
  ),
  single(
    'signal: the end of what it interrupts',
    scope([start(), sub('sub', scope([start('s'), end('e', signal('s'))], 's > e')), boundary('b', 'sub', signal('s')), pass('q'), end(), end('late')], 'start > sub', 'sub > end', 'b > q', 'q > late'),
  ),
  single(
    'signal: thrown within a scope whose event sub-process it begins, which interrupts',
    scope([start(), sub('sub', scope([start('s'), gateway('parallel', 'fork'), work('a'), thrown('t', signal('s')), pass('p'), handler('h', signal('s'), true, pass('in')), end('e')], 's > fork', 'fork > a', 'fork > t', 't > p', 'a > e', 'p > e')), end()], 'start > sub', 'sub > end'),
  ),
  single(
    'signal: thrown within a scope whose event sub-process it begins, beside the rest',
    scope([start(), sub('sub', scope([start('s'), gateway('parallel', 'fork'), work('a'), thrown('t', signal('s')), pass('p'), handler('h', signal('s'), false, pass('in')), end('e')], 's > fork', 'fork > a', 'fork > t', 't > p', 'a > e', 'p > e')), end()], 'start > sub', 'sub > end'),
    [{ complete: 'a' }],
  ),
  single(
    'signal: thrown for a race of events',
    scope([start(), gateway('parallel', 'fork'), gateway('eventBased', 'race'), caught('c', signal('s')), caught('m', message('m')), thrown('t', signal('s')), pass('p'), pass('q'), end()], 'start > fork', 'fork > race', 'fork > t', 'race > c', 'race > m', 'c > q', 'm > end', 't > p', 'p > end', 'q > end'),
  ),
  single(
    'signal: thrown for a catch event and for the border around it',
    scope([start(), sub('sub', scope([start('s'), gateway('parallel', 'fork'), caught('c', signal('s')), work('a'), thrown('t', signal('s')), end('e')], 's > fork', 'fork > c', 'fork > a', 'fork > t', 'c > e', 'a > e', 't > e')), boundary('b', 'sub', signal('s')), end(), end('late')], 'start > sub', 'sub > end', 'b > late'),
  ),
  single('escalation: nothing catches it within a sub-process', chain('', sub('sub', chain('s-', thrown('t', escalation('X')), pass('p'))))),
  single(
    'escalation: from a loop, not interrupting',
    scope([start(), sub('sub', chain('s-', thrown('t', escalation('X')), pass('p')), { loop: { over: 'xs', as: 'x' } }), boundary('b', 'sub', escalation('X'), false), end(), end('late')], 'start > sub', 'sub > end', 'b > late'),
    [],
    { xs: [1, 2] },
  ),
  single('tasks: a user task of Zeebe itself', chain('', user('u', { native: true, inputs: { p: '1' }, outputs: { z: 'p + 1' } })), [{ approve: 'u' }]),
  single('tasks: events that throw messages are jobs', scope([start(), thrown('t', message('out'), { job: true }), end('end', message('out'), { job: true })], 'start > t', 't > end'), [{ complete: 't', variables: { x: 1 } }, { complete: 'end', variables: { y: 2 } }]),
];
