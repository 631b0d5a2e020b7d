import { multiProcessCase, singleProcessCase, type DifferentialCase } from '../case.js';
import {
  boundaryEvent,
  callActivity,
  catchEvent,
  duration,
  end,
  error,
  eventSubProcess,
  gateway,
  message,
  plainTask,
  receiveTask,
  scope,
  scriptTask,
  start,
  subProcess,
  userTask,
  jobTask,
  type ActivityOptions,
} from '../model-text.js';
import { chain } from './chain.js';

const failingScript = (options: ActivityOptions = {}): string => scriptTask('a', 'a', 'assert(x, x > 1)', options);

/** Cases for jobs that fail, are retried or throw errors, and for incidents and their recovery. */
export const RECOVERY_CASES: readonly DifferentialCase[] = [
  singleProcessCase('recovery: a job that failed is done then', chain('', jobTask('a')), [
    { fail: 'a' },
    { recover: 'case' },
    { complete: 'a', variables: { x: 1 } },
  ]),
  singleProcessCase('recovery: a job that fails again', chain('', jobTask('a')), [
    { fail: 'a' },
    { recover: 'case' },
    { fail: 'a' },
  ]),
  singleProcessCase('recovery: a job that fails twice', chain('', jobTask('a')), [
    { fail: 'a' },
    { recover: 'case' },
    { fail: 'a' },
    { recover: 'case' },
    { complete: 'a' },
  ]),
  singleProcessCase(
    'recovery: variables that the job sees',
    chain('', jobTask('a', { inputs: { y: 'x + 1' }, outputs: { z: 'y' } })),
    [{ fail: 'a' }, { recover: 'case', variables: { x: 5 } }, { complete: 'a' }],
    { x: 1 },
  ),
  singleProcessCase(
    'recovery: an expression that failed',
    chain('', failingScript()),
    [{ recover: 'case', variables: { x: 5 } }],
    {
      x: 1,
    },
  ),
  singleProcessCase(
    'recovery: an expression that fails again',
    chain('', failingScript()),
    [{ recover: 'case', variables: { x: 0 } }],
    {
      x: 1,
    },
  ),
  singleProcessCase(
    'recovery: an input that failed',
    chain('', jobTask('a', { inputs: { y: 'assert(x, x > 1)' } })),
    [{ recover: 'case', variables: { x: 5 } }, { complete: 'a' }],
    { x: 1 },
  ),
  singleProcessCase(
    'recovery: an output that failed',
    chain('', jobTask('a', { outputs: { y: 'assert(x, x > 1)' } })),
    [
      { complete: 'a', variables: { z: 1 } },
      { recover: 'case', variables: { x: 5 } },
    ],
    { x: 1 },
  ),
  singleProcessCase(
    'recovery: an output that failed by the result of the job',
    chain('', jobTask('a', { outputs: { y: 'assert(z, z > 1)' } })),
    [
      { complete: 'a', variables: { z: 1 } },
      { recover: 'case', variables: { z: 5 } },
    ],
  ),
  singleProcessCase(
    'recovery: a gateway that had no way',
    scope(
      [start(), gateway('exclusive', 'g'), plainTask('a'), plainTask('b'), end()],
      'start > g',
      'g > a : x > 5',
      'g > b : x > 9',
      'a > end',
      'b > end',
    ),
    [{ recover: 'case', variables: { x: 7 } }],
    { x: 1 },
  ),
  singleProcessCase(
    'recovery: an inclusive gateway that had no way',
    scope(
      [start(), gateway('inclusive', 'g'), plainTask('a'), plainTask('b'), end()],
      'start > g',
      'g > a : x > 5',
      'g > b : x > 9',
      'a > end',
      'b > end',
    ),
    [{ recover: 'case', variables: { x: 10 } }],
    { x: 1 },
  ),
  singleProcessCase(
    'recovery: a condition that was no boolean',
    scope(
      [start(), gateway('exclusive', 'g', 'b'), plainTask('a'), plainTask('b'), end()],
      'start > g',
      'g > a : x',
      'g > b',
      'a > end',
      'b > end',
    ),
    [{ recover: 'case', variables: { x: true } }],
    { x: 'text' },
  ),
  singleProcessCase(
    'recovery: a timer that was none',
    chain('', catchEvent('t', duration('=x'))),
    [{ recover: 'case', variables: { x: 'PT1H' } }, { advance: 'PT2H' }],
    { x: 'soon' },
  ),
  singleProcessCase(
    'recovery: a key that was missing',
    scope([start(), catchEvent('c', message('m')), end()], 'start > c', 'c > end'),
    [
      { recover: 'case', variables: { key: 'now' } },
      { message: 'm', key: 'now' },
    ],
    { key: null },
  ),
  singleProcessCase(
    'recovery: a boundary timer that was none',
    scope(
      [start(), jobTask('a'), boundaryEvent('b', 'a', duration('=x')), end(), end('late')],
      'start > a',
      'a > end',
      'b > late',
    ),
    [{ recover: 'case', variables: { x: 'PT1H' } }, { advance: 'PT2H' }],
    { x: 'soon' },
  ),
  singleProcessCase(
    'recovery: a collection that was none',
    chain('', jobTask('a', { loop: { over: 'xs', as: 'x' } })),
    [{ recover: 'case', variables: { xs: [1, 2] } }, { complete: 'a' }, { complete: 'a' }],
    { xs: 'none' },
  ),
  singleProcessCase(
    'recovery: one turn of a loop',
    chain('', jobTask('a', { loop: { over: 'xs', as: 'x', collect: { into: 'ys', each: 'y' } } })),
    [
      { fail: 'a', turn: 2 },
      { complete: 'a', turn: 1, variables: { y: 1 } },
      { recover: 'case' },
      { complete: 'a', turn: 2, variables: { y: 2 } },
    ],
    { xs: [1, 2] },
  ),
  singleProcessCase(
    'recovery: a turn of a loop that comes one after the other',
    chain('', jobTask('a', { loop: { over: 'xs', as: 'x', sequential: true } })),
    [{ fail: 'a' }, { recover: 'case' }, { complete: 'a' }, { complete: 'a' }],
    { xs: [1, 2] },
  ),
  singleProcessCase(
    'recovery: a condition that ends a loop, and was no boolean',
    chain('', jobTask('a', { loop: { over: 'xs', as: 'x', until: 'done' } })),
    [{ complete: 'a' }, { recover: 'case', variables: { done: true } }],
    { xs: [1, 2], done: 'no' },
  ),
  singleProcessCase(
    'recovery: two that failed, at once',
    scope(
      [start(), gateway('parallel', 'fork'), jobTask('a'), jobTask('b'), gateway('parallel', 'join'), end()],
      'start > fork',
      'fork > a',
      'fork > b',
      'a > join',
      'b > join',
      'join > end',
    ),
    [{ fail: 'a' }, { fail: 'b' }, { recover: 'case' }, { complete: 'b' }, { complete: 'a' }],
  ),
  singleProcessCase('recovery: within a sub-process', chain('', subProcess('sub', chain('s-', jobTask('a')))), [
    { fail: 'a' },
    { recover: 'case' },
    { complete: 'a', variables: { x: 1 } },
  ]),
  singleProcessCase(
    'recovery: a boundary event goes on waiting meanwhile',
    scope(
      [start(), jobTask('a'), boundaryEvent('b', 'a', message('m'), false), end(), end('late')],
      'start > a',
      'a > end',
      'b > late',
    ),
    [{ fail: 'a' }, { message: 'm', key: 'k' }, { recover: 'case' }, { message: 'm', key: 'k' }, { complete: 'a' }],
  ),
  singleProcessCase(
    'recovery: a boundary timer that runs meanwhile',
    scope(
      [start(), jobTask('a'), boundaryEvent('b', 'a', duration('PT1H')), end(), end('late')],
      'start > a',
      'a > end',
      'b > late',
    ),
    [{ fail: 'a' }, { advance: 'PT30M' }, { recover: 'case' }, { advance: 'PT30M' }],
  ),
  singleProcessCase('recovery: an error that nothing catches', chain('', jobTask('a')), [
    { throwError: 'a', code: 'E', variables: { y: 1 } },
    { recover: 'case' },
    { complete: 'a' },
  ]),
  singleProcessCase(
    'recovery: an end event whose error nothing catches',
    scope([start(), end('end', error('E'))], 'start > end'),
    [{ recover: 'case' }],
  ),
  multiProcessCase(
    'recovery: in a called run',
    { case: chain('', callActivity('c', 'child')), child: chain('k-', jobTask('a')) },
    [{ start: 'case' }, { fail: 'a' }, { recover: 'child', variables: { x: 1 } }, { complete: 'a' }],
  ),
  multiProcessCase(
    'recovery: a process that was not there',
    { case: chain('', callActivity('c', '=which')), child: chain('k-', plainTask('p')) },
    [
      { start: 'case', variables: { which: 'nobody' } },
      { recover: 'case', variables: { which: 'child' } },
    ],
  ),
  multiProcessCase(
    'recovery: a message that comes too early is gone',
    { case: chain('', jobTask('a'), receiveTask('r', 'm')) },
    [
      { start: 'case', variables: { key: 'k' } },
      { fail: 'a' },
      { message: 'm', key: 'k' },
      { recover: 'case' },
      { complete: 'a' },
      { message: 'm', key: 'k' },
    ],
  ),

  singleProcessCase('jobs: the second attempt does it', chain('', jobTask('a', { retries: 2 })), [
    { failOnce: 'a' },
    { complete: 'a', variables: { x: 1 } },
  ]),
  singleProcessCase('jobs: the third attempt does it', chain('', jobTask('a', { retries: 3 })), [
    { failOnce: 'a' },
    { failOnce: 'a' },
    { complete: 'a' },
  ]),
  singleProcessCase('jobs: no attempt is left', chain('', jobTask('a', { retries: 2 })), [
    { failOnce: 'a' },
    { failOnce: 'a' },
  ]),
  singleProcessCase('jobs: an attempt beyond all of them', chain('', jobTask('a', { retries: 2 })), [
    { failOnce: 'a' },
    { failOnce: 'a' },
    { recover: 'case' },
    { complete: 'a' },
  ]),
  singleProcessCase('jobs: given up although attempts are left', chain('', jobTask('a', { retries: 3 })), [
    { failOnce: 'a' },
    { fail: 'a' },
  ]),
  singleProcessCase(
    'jobs: an error in the second attempt',
    scope(
      [start(), jobTask('a', { retries: 2 }), boundaryEvent('b', 'a', error('E')), end(), end('caught')],
      'start > a',
      'a > end',
      'b > caught',
    ),
    [{ failOnce: 'a' }, { throwError: 'a', code: 'E' }],
  ),
  singleProcessCase(
    'jobs: interrupted between attempts',
    scope(
      [start(), jobTask('a', { retries: 2 }), boundaryEvent('b', 'a', message('m')), end(), end('late')],
      'start > a',
      'a > end',
      'b > late',
    ),
    [{ failOnce: 'a' }, { message: 'm', key: 'k' }],
  ),
  singleProcessCase(
    'jobs: attempts in the turns of a loop',
    chain('', jobTask('a', { retries: 2, loop: { over: 'xs', as: 'x' } })),
    [
      { failOnce: 'a', turn: 2 },
      { failOnce: 'a', turn: 1 },
      { complete: 'a', turn: 1 },
      { fail: 'a', turn: 2 },
    ],
    { xs: [1, 2] },
  ),
  singleProcessCase('jobs: attempts that are none', chain('', jobTask('a', { retries: 0 }))),

  singleProcessCase(
    'errors: of a job in a sub-process, with variables, caught around it',
    scope(
      [
        start(),
        subProcess('sub', chain('s-', jobTask('a'))),
        boundaryEvent('b', 'sub', error('E')),
        plainTask('p'),
        end(),
        end('caught'),
      ],
      'start > sub',
      'sub > end',
      'b > p',
      'p > caught',
    ),
    [{ throwError: 'a', code: 'E', variables: { x: 2, y: 3 } }],
    { x: 1 },
  ),
  singleProcessCase(
    'errors: variables that a sub-process around has as its own',
    scope(
      [
        start(),
        subProcess('sub', chain('s-', jobTask('a')), { inputs: { x: '10' } }),
        boundaryEvent('b', 'sub', error('E'), true, { outputs: { z: 'x' } }),
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
  singleProcessCase(
    'errors: variables go to the event sub-process that catches it',
    scope(
      [
        start(),
        jobTask('a'),
        eventSubProcess(
          'h',
          scope([start('on', error('E')), scriptTask('s', 'seen', '[x, y]'), end('off')], 'on > s', 's > off'),
        ),
        end(),
      ],
      'start > a',
      'a > end',
    ),
    [{ throwError: 'a', code: 'E', variables: { x: 2, y: 3 } }],
    { x: 1 },
  ),
  singleProcessCase(
    'errors: outputs of the event sub-process that catches it',
    scope(
      [
        start(),
        jobTask('a'),
        eventSubProcess('h', scope([start('on', error('E'), true, { outputs: { z: 'y' } }), end('off')], 'on > off')),
        end(),
      ],
      'start > a',
      'a > end',
    ),
    [{ throwError: 'a', code: 'E', variables: { y: 3, lost: 4 } }],
  ),
  singleProcessCase(
    'errors: of one turn of a loop, which ends the others',
    scope(
      [
        start(),
        jobTask('a', { loop: { over: 'xs', as: 'x', collect: { into: 'ys', each: 'y' } } }),
        boundaryEvent('b', 'a', error('E')),
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
  singleProcessCase(
    'errors: a branch that catches ends those beside it',
    scope(
      [
        start(),
        subProcess(
          'sub',
          scope(
            [start('s'), gateway('parallel', 'fork'), jobTask('a'), jobTask('b'), userTask('c'), end('e')],
            's > fork',
            'fork > a',
            'fork > b',
            'fork > c',
            'a > e',
            'b > e',
            'c > e',
          ),
        ),
        boundaryEvent('b1', 'sub', error('E')),
        end(),
        end('caught'),
      ],
      'start > sub',
      'sub > end',
      'b1 > caught',
    ),
    [{ throwError: 'b', code: 'E' }],
  ),
  multiProcessCase(
    'errors: of a job in a called run, caught where it is called',
    {
      case: scope(
        [
          start(),
          callActivity('c', 'child'),
          boundaryEvent('b', 'c', error('E'), true, { outputs: { z: 'y' } }),
          end(),
          end('caught'),
        ],
        'start > c',
        'c > end',
        'b > caught',
      ),
      child: chain('k-', jobTask('a')),
    },
    [
      { start: 'case', variables: { x: 1 } },
      { throwError: 'a', code: 'E', variables: { y: 3 } },
    ],
  ),
  multiProcessCase(
    'errors: with variables, from a called run, without outputs',
    {
      case: scope(
        [start(), callActivity('c', 'child'), boundaryEvent('b', 'c', error('E')), end(), end('caught')],
        'start > c',
        'c > end',
        'b > caught',
      ),
      child: chain('k-', jobTask('a')),
    },
    [
      { start: 'case', variables: { x: 1 } },
      { throwError: 'a', code: 'E', variables: { x: 2, y: 3 } },
    ],
  ),
];
