import { several, single, type DifferentialCase } from '../case.js';
import { boundary, call, caught, compensation, duration, end, eventSub, gateway, message, pass, receive, scope, script, signal, start, sub, undoes, user, work } from '../model-text.js';
import { chain } from './chain.js';

/** Runs that are ended from outside, and what comes too late for them. */
export const CANCELLATION_CASES: readonly DifferentialCase[] = [
  single('cancel: everything that waits', scope([start(), gateway('parallel', 'fork'), work('a'), user('b'), receive('c', 'm'), caught('d', duration('PT1H')), caught('e', signal('s')), end()], 'start > fork', 'fork > a', 'fork > b', 'fork > c', 'fork > d', 'fork > e', 'a > end', 'b > end', 'c > end', 'd > end', 'e > end'), [{ cancel: 'case' }, { message: 'm', key: 'k' }, { signal: 's' }, { advance: 'PT2H' }]),
  single('cancel: within sub-processes', chain('', sub('sub', chain('s-', sub('deep', chain('d-', work('a')))))), [{ cancel: 'case' }]),
  single('cancel: the turns of a loop', chain('', work('a', { loop: { over: 'xs', as: 'x', collect: { into: 'ys', each: 'y' } } })), [{ complete: 'a', turn: 1, variables: { y: 1 } }, { cancel: 'case' }], { xs: [1, 2, 3] }),
  single('cancel: a loop that goes one by one', chain('', work('a', { loop: { over: 'xs', as: 'x', sequential: true } })), [{ complete: 'a' }, { cancel: 'case' }], { xs: [1, 2, 3] }),
  single('cancel: beside an event sub-process that did not interrupt', scope([start(), work('a'), eventSub('h', scope([start('on', message('m'), false), work('b'), end('off')], 'on > b', 'b > off')), end()], 'start > a', 'a > end'), [{ message: 'm', key: 'k' }, { cancel: 'case' }, { message: 'm', key: 'k' }]),
  single('cancel: within an event sub-process that has interrupted', scope([start(), work('a'), eventSub('h', scope([start('on', message('m')), work('b'), end('off')], 'on > b', 'b > off')), end()], 'start > a', 'a > end'), [{ message: 'm', key: 'k' }, { cancel: 'case' }]),
  single('cancel: with boundary events', scope([start(), work('a'), boundary('t', 'a', duration('PT1H')), boundary('m', 'a', message('m'), false), end(), end('late'), end('told')], 'start > a', 'a > end', 't > late', 'm > told'), [{ message: 'm', key: 'k' }, { cancel: 'case' }, { advance: 'PT2H' }]),
  single('cancel: a race of events', scope([start(), gateway('eventBased', 'race'), caught('m', message('m')), caught('t', duration('PT1H')), end()], 'start > race', 'race > m', 'race > t', 'm > end', 't > end'), [{ cancel: 'case' }, { message: 'm', key: 'k' }]),
  single('cancel: a token that waits at a join', scope([start(), gateway('parallel', 'fork'), work('a'), work('b'), gateway('parallel', 'join'), end()], 'start > fork', 'fork > a', 'fork > b', 'a > join', 'b > join', 'join > end'), [{ complete: 'a' }, { cancel: 'case' }]),
  single('cancel: a job that has failed', chain('', work('a')), [{ fail: 'a' }, { cancel: 'case' }]),
  single('cancel: an expression that failed', chain('', script('a', 'a', 'assert(x, x > 1)')), [{ cancel: 'case' }], { x: 1 }),
  single('cancel: variables stay', chain('', script('a', 'y', 'x + 1'), work('b')), [{ cancel: 'case' }], { x: 1 }),
  several('cancel: with a called run', { case: chain('', call('c', 'child')), child: chain('k-', work('a')) }, [{ start: 'case' }, { cancel: 'case' }]),
  several('cancel: with called runs of two levels', { case: chain('', call('c', 'middle')), middle: chain('m-', call('mc', 'inner')), inner: chain('i-', work('a')) }, [{ start: 'case' }, { cancel: 'case' }]),
  several('cancel: with a called run that has an incident', { case: chain('', call('c', 'child')), child: chain('k-', work('a')) }, [{ start: 'case' }, { fail: 'a' }, { cancel: 'case' }]),
  several('cancel: one run of two', { case: chain('', receive('a', 'm'), pass('p')) }, [{ start: 'case', variables: { key: 'k' } }, { start: 'case', variables: { key: 'l' } }, { cancel: 'case' }, { message: 'm', key: 'l' }, { message: 'm', key: 'k' }]),
  single(
    'cancel: what could be undone',
    scope([start(), work('a'), boundary('ba', 'a', compensation()), work('ua', { compensates: true }), undoes('ba', 'ua'), work('b'), end()], 'start > a', 'a > b', 'b > end'),
    [{ complete: 'a' }, { cancel: 'case' }],
  ),
];
