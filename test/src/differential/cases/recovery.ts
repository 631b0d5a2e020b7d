import { several, single, type DifferentialCase } from '../case.js';
import {
  boundary,
  call,
  caught,
  duration,
  end,
  error,
  eventSub,
  gateway,
  message,
  pass,
  receive,
  scope,
  script,
  start,
  sub,
  user,
  work,
  type ActivityOptions,
} from '../model-text.js';
import { chain } from './chain.js';

const failing = (options: ActivityOptions = {}): string => script('a', 'a', 'assert(x, x > 1)', options);

/** Jobs that fail, are retried, or throw; incidents, and the results of recovering them. */
export const RECOVERY_CASES: readonly DifferentialCase[] = [
  single('recovery: a job that failed is done then', chain('', work('a')), [
    { fail: 'a' },
    { recover: 'case' },
    { complete: 'a', variables: { x: 1 } },
  ]),
  single('recovery: a job that fails again', chain('', work('a')), [{ fail: 'a' }, { recover: 'case' }, { fail: 'a' }]),
  single('recovery: a job that fails twice', chain('', work('a')), [
    { fail: 'a' },
    { recover: 'case' },
    { fail: 'a' },
    { recover: 'case' },
    { complete: 'a' },
  ]),
  single(
    'recovery: variables that the job sees',
    chain('', work('a', { inputs: { y: 'x + 1' }, outputs: { z: 'y' } })),
    [{ fail: 'a' }, { recover: 'case', variables: { x: 5 } }, { complete: 'a' }],
    { x: 1 },
  ),
  single('recovery: an expression that failed', chain('', failing()), [{ recover: 'case', variables: { x: 5 } }], {
    x: 1,
  }),
  single('recovery: an expression that fails again', chain('', failing()), [{ recover: 'case', variables: { x: 0 } }], {
    x: 1,
  }),
  single(
    'recovery: an input that failed',
    chain('', work('a', { inputs: { y: 'assert(x, x > 1)' } })),
    [{ recover: 'case', variables: { x: 5 } }, { complete: 'a' }],
    { x: 1 },
  ),
  single(
    'recovery: an output that failed',
    chain('', work('a', { outputs: { y: 'assert(x, x > 1)' } })),
    [
      { complete: 'a', variables: { z: 1 } },
      { recover: 'case', variables: { x: 5 } },
    ],
    { x: 1 },
  ),
  single(
    'recovery: an output that failed by the result of the job',
    chain('', work('a', { outputs: { y: 'assert(z, z > 1)' } })),
    [
      { complete: 'a', variables: { z: 1 } },
      { recover: 'case', variables: { z: 5 } },
    ],
  ),
  single(
    'recovery: a gateway that had no way',
    scope(
      [start(), gateway('exclusive', 'g'), pass('a'), pass('b'), end()],
      'start > g',
      'g > a : x > 5',
      'g > b : x > 9',
      'a > end',
      'b > end',
    ),
    [{ recover: 'case', variables: { x: 7 } }],
    { x: 1 },
  ),
  single(
    'recovery: an inclusive gateway that had no way',
    scope(
      [start(), gateway('inclusive', 'g'), pass('a'), pass('b'), end()],
      'start > g',
      'g > a : x > 5',
      'g > b : x > 9',
      'a > end',
      'b > end',
    ),
    [{ recover: 'case', variables: { x: 10 } }],
    { x: 1 },
  ),
  single(
    'recovery: a condition that was no boolean',
    scope(
      [start(), gateway('exclusive', 'g', 'b'), pass('a'), pass('b'), end()],
      'start > g',
      'g > a : x',
      'g > b',
      'a > end',
      'b > end',
    ),
    [{ recover: 'case', variables: { x: true } }],
    { x: 'text' },
  ),
  single(
    'recovery: a timer that was none',
    chain('', caught('t', duration('=x'))),
    [{ recover: 'case', variables: { x: 'PT1H' } }, { advance: 'PT2H' }],
    { x: 'soon' },
  ),
  single(
    'recovery: a key that was missing',
    scope([start(), caught('c', message('m')), end()], 'start > c', 'c > end'),
    [
      { recover: 'case', variables: { key: 'now' } },
      { message: 'm', key: 'now' },
    ],
    { key: null },
  ),
  single(
    'recovery: a boundary timer that was none',
    scope(
      [start(), work('a'), boundary('b', 'a', duration('=x')), end(), end('late')],
      'start > a',
      'a > end',
      'b > late',
    ),
    [{ recover: 'case', variables: { x: 'PT1H' } }, { advance: 'PT2H' }],
    { x: 'soon' },
  ),
  single(
    'recovery: a collection that was none',
    chain('', work('a', { loop: { over: 'xs', as: 'x' } })),
    [{ recover: 'case', variables: { xs: [1, 2] } }, { complete: 'a' }, { complete: 'a' }],
    { xs: 'none' },
  ),
  single(
    'recovery: one turn of a loop',
    chain('', work('a', { loop: { over: 'xs', as: 'x', collect: { into: 'ys', each: 'y' } } })),
    [
      { fail: 'a', turn: 2 },
      { complete: 'a', turn: 1, variables: { y: 1 } },
      { recover: 'case' },
      { complete: 'a', turn: 2, variables: { y: 2 } },
    ],
    { xs: [1, 2] },
  ),
  single(
    'recovery: a turn of a loop that comes one after the other',
    chain('', work('a', { loop: { over: 'xs', as: 'x', sequential: true } })),
    [{ fail: 'a' }, { recover: 'case' }, { complete: 'a' }, { complete: 'a' }],
    { xs: [1, 2] },
  ),
  single(
    'recovery: a condition that ends a loop, and was no boolean',
    chain('', work('a', { loop: { over: 'xs', as: 'x', until: 'done' } })),
    [{ complete: 'a' }, { recover: 'case', variables: { done: true } }],
    { xs: [1, 2], done: 'no' },
  ),
  single(
    'recovery: two that failed, at once',
    scope(
      [start(), gateway('parallel', 'fork'), work('a'), work('b'), gateway('parallel', 'join'), end()],
      'start > fork',
      'fork > a',
      'fork > b',
      'a > join',
      'b > join',
      'join > end',
    ),
    [{ fail: 'a' }, { fail: 'b' }, { recover: 'case' }, { complete: 'b' }, { complete: 'a' }],
  ),
  single('recovery: within a sub-process', chain('', sub('sub', chain('s-', work('a')))), [
    { fail: 'a' },
    { recover: 'case' },
    { complete: 'a', variables: { x: 1 } },
  ]),
  single(
    'recovery: a boundary event goes on waiting meanwhile',
    scope(
      [start(), work('a'), boundary('b', 'a', message('m'), false), end(), end('late')],
      'start > a',
      'a > end',
      'b > late',
    ),
    [{ fail: 'a' }, { message: 'm', key: 'k' }, { recover: 'case' }, { message: 'm', key: 'k' }, { complete: 'a' }],
  ),
  single(
    'recovery: a boundary timer that runs meanwhile',
    scope(
      [start(), work('a'), boundary('b', 'a', duration('PT1H')), end(), end('late')],
      'start > a',
      'a > end',
      'b > late',
    ),
    [{ fail: 'a' }, { advance: 'PT30M' }, { recover: 'case' }, { advance: 'PT30M' }],
  ),
  single('recovery: an error that nothing catches', chain('', work('a')), [
    { throwError: 'a', code: 'E', variables: { y: 1 } },
    { recover: 'case' },
    { complete: 'a' },
  ]),
  single(
    'recovery: an end event whose error nothing catches',
    scope([start(), end('end', error('E'))], 'start > end'),
    [{ recover: 'case' }],
  ),
  several('recovery: in a called run', { case: chain('', call('c', 'child')), child: chain('k-', work('a')) }, [
    { start: 'case' },
    { fail: 'a' },
    { recover: 'child', variables: { x: 1 } },
    { complete: 'a' },
  ]),
  several(
    'recovery: a process that was not there',
    { case: chain('', call('c', '=which')), child: chain('k-', pass('p')) },
    [
      { start: 'case', variables: { which: 'nobody' } },
      { recover: 'case', variables: { which: 'child' } },
    ],
  ),
  several('recovery: a message that comes too early is gone', { case: chain('', work('a'), receive('r', 'm')) }, [
    { start: 'case', variables: { key: 'k' } },
    { fail: 'a' },
    { message: 'm', key: 'k' },
    { recover: 'case' },
    { complete: 'a' },
    { message: 'm', key: 'k' },
  ]),

  single('jobs: the second attempt does it', chain('', work('a', { retries: 2 })), [
    { failOnce: 'a' },
    { complete: 'a', variables: { x: 1 } },
  ]),
  single('jobs: the third attempt does it', chain('', work('a', { retries: 3 })), [
    { failOnce: 'a' },
    { failOnce: 'a' },
    { complete: 'a' },
  ]),
  single('jobs: no attempt is left', chain('', work('a', { retries: 2 })), [{ failOnce: 'a' }, { failOnce: 'a' }]),
  single('jobs: an attempt beyond all of them', chain('', work('a', { retries: 2 })), [
    { failOnce: 'a' },
    { failOnce: 'a' },
    { recover: 'case' },
    { complete: 'a' },
  ]),
  single('jobs: given up although attempts are left', chain('', work('a', { retries: 3 })), [
    { failOnce: 'a' },
    { fail: 'a' },
  ]),
  single(
    'jobs: an error in the second attempt',
    scope(
      [start(), work('a', { retries: 2 }), boundary('b', 'a', error('E')), end(), end('caught')],
      'start > a',
      'a > end',
      'b > caught',
    ),
    [{ failOnce: 'a' }, { throwError: 'a', code: 'E' }],
  ),
  single(
    'jobs: interrupted between attempts',
    scope(
      [start(), work('a', { retries: 2 }), boundary('b', 'a', message('m')), end(), end('late')],
      'start > a',
      'a > end',
      'b > late',
    ),
    [{ failOnce: 'a' }, { message: 'm', key: 'k' }],
  ),
  single(
    'jobs: attempts in the turns of a loop',
    chain('', work('a', { retries: 2, loop: { over: 'xs', as: 'x' } })),
    [
      { failOnce: 'a', turn: 2 },
      { failOnce: 'a', turn: 1 },
      { complete: 'a', turn: 1 },
      { fail: 'a', turn: 2 },
    ],
    { xs: [1, 2] },
  ),
  single('jobs: attempts that are none', chain('', work('a', { retries: 0 }))),

  single(
    'errors: of a job in a sub-process, with variables, caught around it',
    scope(
      [start(), sub('sub', chain('s-', work('a'))), boundary('b', 'sub', error('E')), pass('p'), end(), end('caught')],
      'start > sub',
      'sub > end',
      'b > p',
      'p > caught',
    ),
    [{ throwError: 'a', code: 'E', variables: { x: 2, y: 3 } }],
    { x: 1 },
  ),
  single(
    'errors: variables that a sub-process around has as its own',
    scope(
      [
        start(),
        sub('sub', chain('s-', work('a')), { inputs: { x: '10' } }),
        boundary('b', 'sub', error('E'), true, { outputs: { z: 'x' } }),
        end(),
        end('caught'),
      ],
      'start > sub',
      'sub > end',
      'b > caught',
    ),
    [{ throwError: 'a', code: 'E', variables: { x: 2, y: 3 } }],
    { x: 1 },
  ),
  single(
    'errors: variables go to the event sub-process that catches it',
    scope(
      [
        start(),
        work('a'),
        eventSub('h', scope([start('on', error('E')), script('s', 'seen', '[x, y]'), end('off')], 'on > s', 's > off')),
        end(),
      ],
      'start > a',
      'a > end',
    ),
    [{ throwError: 'a', code: 'E', variables: { x: 2, y: 3 } }],
    { x: 1 },
  ),
  single(
    'errors: outputs of the event sub-process that catches it',
    scope(
      [
        start(),
        work('a'),
        eventSub('h', scope([start('on', error('E'), true, { outputs: { z: 'y' } }), end('off')], 'on > off')),
        end(),
      ],
      'start > a',
      'a > end',
    ),
    [{ throwError: 'a', code: 'E', variables: { y: 3, lost: 4 } }],
  ),
  single(
    'errors: of one turn of a loop, which ends the others',
    scope(
      [
        start(),
        work('a', { loop: { over: 'xs', as: 'x', collect: { into: 'ys', each: 'y' } } }),
        boundary('b', 'a', error('E')),
        end(),
        end('caught'),
      ],
      'start > a',
      'a > end',
      'b > caught',
    ),
    [
      { complete: 'a', turn: 1, variables: { y: 1 } },
      { throwError: 'a', code: 'E', turn: 2, variables: { z: 2 } },
    ],
    { xs: [1, 2, 3] },
  ),
  single(
    'errors: a branch that catches ends those beside it',
    scope(
      [
        start(),
        sub(
          'sub',
          scope(
            [start('s'), gateway('parallel', 'fork'), work('a'), work('b'), user('c'), end('e')],
            's > fork',
            'fork > a',
            'fork > b',
            'fork > c',
            'a > e',
            'b > e',
            'c > e',
          ),
        ),
        boundary('b1', 'sub', error('E')),
        end(),
        end('caught'),
      ],
      'start > sub',
      'sub > end',
      'b1 > caught',
    ),
    [{ throwError: 'b', code: 'E' }],
  ),
  several(
    'errors: of a job in a called run, caught where it is called',
    {
      case: scope(
        [
          start(),
          call('c', 'child'),
          boundary('b', 'c', error('E'), true, { outputs: { z: 'y' } }),
          end(),
          end('caught'),
        ],
        'start > c',
        'c > end',
        'b > caught',
      ),
      child: chain('k-', work('a')),
    },
    [
      { start: 'case', variables: { x: 1 } },
      { throwError: 'a', code: 'E', variables: { y: 3 } },
    ],
  ),
  several(
    'errors: with variables, from a called run, without outputs',
    {
      case: scope(
        [start(), call('c', 'child'), boundary('b', 'c', error('E')), end(), end('caught')],
        'start > c',
        'c > end',
        'b > caught',
      ),
      child: chain('k-', work('a')),
    },
    [
      { start: 'case', variables: { x: 1 } },
      { throwError: 'a', code: 'E', variables: { x: 2, y: 3 } },
    ],
  ),
];
