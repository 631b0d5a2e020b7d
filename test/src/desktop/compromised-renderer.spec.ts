import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Approval } from '@countersign/contract';
import { createTestHost, currentTime, isoTimeIn, signInApprovers, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { APPROVAL_JOBS, ApprovalMaker } from '../web/approvals.spec.support.js';
import { deleteUserData, hasElectron, Screen, startDesktop, type Desktop } from './desktop.spec.support.js';

type Bridge = Record<string, (input?: unknown) => Promise<unknown>>;

/** Valid preferences, to which the tests add invalid values. */
const PREFERENCES = { notifications: 'all', silent: false, shortcut: null, keepInTray: true, startAtLogin: false };

/** Attacks by an attacker who runs arbitrary code in the window. */
(hasElectron() ? describe : describe.skip)('desktop: compromised window', () => {
  let countersign: TestHost;
  let maker: ApprovalMaker;
  let screen: Screen;
  let desktop: Desktop;
  let token: string;
  let foreignServer: Server;
  let foreignUrl: string;
  const receivedPaths: string[] = [];

  before(async () => {
    foreignServer = createServer((request, response) => {
      receivedPaths.push(request.url ?? '');
      response.writeHead(200, { 'access-control-allow-origin': '*' }).end('ok');
    }).listen(0, '127.0.0.1');
    [countersign, screen] = await Promise.all([
      createTestHost({ jobTypes: APPROVAL_JOBS }),
      Screen.start(),
      once(foreignServer, 'listening'),
    ]);
    foreignUrl = `http://127.0.0.1:${(foreignServer.address() as AddressInfo).port}`;
    maker = await ApprovalMaker.deployTo(countersign, 'simple');
    await signInApprovers(countersign, 'eve');
    token = await countersign.token('approver', { subject: 'ada' });
    desktop = await startDesktop({ screen, expectsRefusals: true });
    await desktop.page.evaluate(
      async ([url, secret]) => {
        const { addServer, useDevelopmentToken, getState } = (window as unknown as { countersign: Bridge })
          .countersign as Required<Bridge>;
        await addServer!({ url, name: 'Test' });
        while (((await getState!()) as { session: { kind: string } }).session.kind === 'connecting')
          await new Promise((resolve) => requestAnimationFrame(resolve));
        await useDevelopmentToken!({ token: secret });
      },
      [countersign.url, token] as const,
    );
    await desktop.page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor();
  });

  after(async () => {
    await desktop?.close();
    if (desktop !== undefined) deleteUserData(desktop.userData);
    await screen?.stop();
    await countersign?.close();
    foreignServer.closeAllConnections();
    foreignServer.close();
  });

  afterEach(() => {
    // No test may reach the foreign server, navigate the page or open a window.
    expect(receivedPaths).to.deep.equal([]);
    expect(desktop.page.url()).to.equal('countersign-app://inbox/index.html');
    expect(desktop.app.windows()).to.have.length(1);
  });

  /** Calls a method of the bridge and returns its result, or the refusal as a string. */
  const call = (method: string, ...inputs: unknown[]): Promise<unknown> =>
    desktop.page.evaluate(
      async ([name, methodInputs]) => {
        const { countersign: bridge } = window as unknown as {
          countersign: Record<string, (...input: unknown[]) => Promise<unknown>>;
        };
        return bridge[name]!(...methodInputs).catch(
          (error: Error) => `refused: ${error.message.replace(/^.*Error: /, '')}`,
        );
      },
      [method, inputs] as const,
    );
  const getCurrentApproval = ({ approvalId }: Approval): Promise<Approval> => maker.vera.getApproval({ approvalId });

  it('should not expose the token in the page, its storage or the log', async () => {
    const all = await desktop.page.evaluate(async () => {
      const { countersign: bridge } = window as unknown as { countersign: Bridge };
      const state = await bridge['getState']!();
      const databases = await indexedDB.databases().catch(() => []);
      return JSON.stringify([
        state,
        { ...localStorage },
        { ...sessionStorage },
        document.cookie,
        databases,
        document.documentElement.outerHTML,
        Object.keys(window),
      ]);
    });
    expect(all).to.contain('"subject":"ada"');
    expect(all).not.to.contain(token.slice(0, 24));
    expect(all).not.to.contain(token.slice(-24));
    expect(desktop.log()).not.to.contain(token.slice(-24));
  });

  it('should expose only the listed methods, and no globals of Node or Electron', async () => {
    const found = await desktop.page.evaluate(() => {
      const scope = window as unknown as Record<string, unknown> & { countersign: Record<string, unknown> };
      const { vote } = scope.countersign;
      const bridge = scope.countersign;
      for (const change of [
        () => (scope.countersign['vote'] = () => undefined),
        () => ((scope as { countersign: unknown }).countersign = {}),
      ]) {
        try {
          change();
        } catch {
          // An exception also refuses the change.
        }
      }
      const changed = scope.countersign !== bridge || bridge['vote'] !== vote;
      return {
        globals: ['require', 'process', 'module', 'global', 'Buffer', 'electron', 'ipcRenderer', '__dirname'].filter(
          (name) => name in scope,
        ),
        methods: Object.keys(scope.countersign).sort(),
        changed,
      };
    });
    expect(found.globals).to.deep.equal([]);
    expect(found.changed).to.equal(false);
    expect(found.methods).to.deep.equal(
      [
        'addServer',
        'answerQuestion',
        'comment',
        'call',
        'cancelSignIn',
        'getPresence',
        'getState',
        'on',
        'openLink',
        'readArtifact',
        'removeServer',
        'retry',
        'saveArtifact',
        'selectServer',
        'setPreferences',
        'setQuiet',
        'signIn',
        'signOut',
        'snooze',
        'takeLink',
        'useDevelopmentToken',
        'vote',
        'voteTogether',
        'wake',
        'getKeys',
        'setKeys',
        'zoom',
        'getSigning',
        'checkSigning',
        'setUpSigning',
        'enrolSigningKey',
        'countersignSigningKey',
        'revokeSigningKey',
        'setSignsEvery',
        'listUnconfirmed',
        'loadDrafts',
        'saveDraft',
        'dismissUnconfirmed',
        'dropDraft',
      ].sort(),
    );
  });

  it('should reach no server, not even the server of the inbox, and no file', async () => {
    const reachedTargets = await desktop.page.evaluate(
      async (addresses) => {
        const attempt = (label: string, promise: Promise<unknown>): Promise<string | undefined> =>
          promise.then(
            () => label,
            () => undefined,
          );
        const waitUntilLoaded = (element: HTMLElement): Promise<unknown> =>
          new Promise((resolve, reject) => {
            element.addEventListener('load', resolve);
            element.addEventListener('error', reject);
            document.body.append(element);
          });
        const results: (string | undefined)[] = [];
        for (const address of addresses) {
          results.push(await attempt(`fetch ${address}`, fetch(address, { mode: 'no-cors' })));
          results.push(
            await attempt(`image ${address}`, waitUntilLoaded(Object.assign(new Image(), { src: address }))),
          );
          results.push(
            await attempt(
              `script ${address}`,
              waitUntilLoaded(Object.assign(document.createElement('script'), { src: address })),
            ),
          );
          results.push(
            await attempt(
              `style ${address}`,
              waitUntilLoaded(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: address })),
            ),
          );
          results.push(
            await attempt(
              `request ${address}`,
              new Promise((resolve, reject) => {
                const request = new XMLHttpRequest();
                request.addEventListener('load', resolve);
                request.addEventListener('error', reject);
                request.open('GET', address);
                request.send();
              }),
            ),
          );
        }
        const socket = (addresses[0] ?? '').replace('http', 'ws');
        results.push(
          await attempt(
            `socket ${socket}`,
            new Promise((resolve, reject) => {
              const opened = new WebSocket(socket);
              opened.addEventListener('open', resolve);
              opened.addEventListener('error', reject);
            }),
          ),
        );
        navigator.sendBeacon(`${addresses[0] ?? ''}/beacon`, 'x');
        results.push(
          await attempt(
            'worker',
            new Promise((resolve, reject) => {
              const worker = new Worker(URL.createObjectURL(new Blob(['postMessage(1)'], { type: 'text/javascript' })));
              worker.addEventListener('message', resolve);
              worker.addEventListener('error', reject);
            }),
          ),
        );
        return results.filter((result) => result !== undefined);
      },
      [
        foreignUrl,
        `${countersign.url}/api/auth/config`,
        'file:///etc/passwd',
        'countersign-app://other/index.html',
        'countersign-app://inbox/../../../package.json',
        'countersign-app://inbox/..%2f..%2fpackage.json',
      ],
    );
    expect(reachedTargets).to.deep.equal([]);
  });

  it('should run no inline scripts or event handlers', async () => {
    // Runs in a script element, because the debugger that evaluates here may compile any code.
    const scriptResult = await desktop.page.evaluate(async () => {
      const script = document.createElement('script');
      script.textContent = 'window.ranInline = true';
      document.body.append(script);
      const button = document.createElement('button');
      button.setAttribute('onclick', 'window.ranHandler = true');
      document.body.append(button);
      button.click();
      await new Promise((resolve) => requestAnimationFrame(resolve));
      return ['ranInline', 'ranHandler'].filter((name) => name in window);
    });
    expect(scriptResult).to.deep.equal([]);
  });

  it('should not navigate, open windows or open unsafe links', async () => {
    const opened = await desktop.app.evaluate(({ shell }) => {
      const addresses: string[] = [];
      (globalThis as { opened?: string[] }).opened = addresses;
      shell.openExternal = (url: string) => Promise.resolve(void addresses.push(url));
      return addresses;
    });
    expect(opened).to.deep.equal([]);
    const windows = await desktop.page.evaluate(async (address) => {
      const openedWindows = [
        'about:blank',
        address,
        'file:///etc/passwd',
        'countersign-app://inbox/index.html',
        'javascript:alert(1)',
      ].map((url) => window.open(url));
      for (const url of [address, 'file:///etc/passwd', 'data:text/html,<h1>x</h1>']) {
        const link = Object.assign(document.createElement('a'), { href: url, target: '_top' });
        document.body.append(link);
        link.click();
        const frame = Object.assign(document.createElement('iframe'), { src: url });
        document.body.append(frame);
        const form = Object.assign(document.createElement('form'), { action: url, method: 'post' });
        document.body.append(form);
        form.submit();
      }
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return openedWindows.filter((each) => each !== null).length;
    }, foreignUrl);
    expect(windows).to.equal(0);
    for (const url of [
      'http://example.com',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'https://user:pass@example.com',
      'smb://host/share',
      'ms-msdt:/id',
    ])
      expect(await call('openLink', { url }), url).to.equal(false);
    expect(await desktop.app.evaluate(() => (globalThis as { opened?: string[] }).opened)).to.deep.equal([]);
    expect(await call('openLink', { url: 'https://example.com/a?b' })).to.equal(true);
    expect(await desktop.app.evaluate(() => (globalThis as { opened?: string[] }).opened)).to.deep.equal([
      'https://example.com/a?b',
    ]);
  });

  it('should refuse every permission request', async () => {
    const granted = await desktop.page.evaluate(async () => {
      const asked = {
        notifications: Notification.requestPermission().then((answer) => answer === 'granted'),
        camera: navigator.mediaDevices.getUserMedia({ video: true }).then(() => true),
        clipboard: navigator.clipboard.readText().then(() => true),
        location: new Promise<boolean>((resolve, reject) =>
          navigator.geolocation.getCurrentPosition(() => resolve(true), reject),
        ),
      };
      const answers = await Promise.all(
        Object.entries(asked).map(async ([name, answer]) => ((await answer.catch(() => false)) ? name : undefined)),
      );
      return answers.filter((name) => name !== undefined);
    });
    expect(granted).to.deep.equal([]);
  });

  it('should refuse malformed arguments of the bridge methods', async () => {
    const malformedCalls: readonly (readonly [string, ...unknown[]])[] = [
      ['setKeys', { keys: { 'inbox.approve': 'Enter' }, characters: true }],
      ['setKeys', { keys: { '__proto__.x': 'a' }, characters: true }],
      ['setKeys', { keys: { 'inbox.approve': 'a' }, characters: true, path: '/etc/passwd' }],
      [
        'setKeys',
        {
          keys: Object.fromEntries(
            Array.from({ length: 201 }, (_, index) => [
              `inbox.${String.fromCharCode(97 + (index % 26), 97 + Math.floor(index / 26))}`,
              'a',
            ]),
          ),
          characters: true,
        },
      ],
      ['zoom', { step: 1e9 }],
      ['call', { operation: 'createToken', input: { body: { subject: 'eve', role: 'admin' } } }],
      [
        'call',
        {
          operation: 'decideApproval',
          input: { approvalId: '01938f5a-7c1e-7b62-9d53-0c9a4f1b2e77', body: { decision: 'approve' } },
        },
      ],
      ['call', { operation: 'constructor', input: {} }],
      ['call', { operation: 'getApproval', input: { approvalId: '../runs' } }],
      ['call', { operation: 'getApproval', input: { approvalId: '01938f5a-7c1e-7b62-9d53-0c9a4f1b2e77', extra: 1 } }],
      ['call', { operation: 'listApprovals', input: { limit: 100_000 } }],
      ['call', 'listApprovals'],
      ['call'],
      ['vote', {}],
      ['vote', { approvalId: 1, round: 'x' }],
      ['addServer', { url: 1 }],
      ['getState', { any: 1 }],
      ['useDevelopmentToken', { token: 'a\r\nb: c' }],
      ['comment', { approvalId: '../runs', body: { text: 'x' }, idempotencyKey: 'taken-over-3' }],
      ['answerQuestion', { questionId: '../runs', answer: 'x', idempotencyKey: 'taken-over-3' }],
      [
        'answerQuestion',
        {
          questionId: '01938f5a-7c1e-7b62-9d53-0c9a4f1b2e77',
          runId: '01938f5a-7c1e-7b62-9d53-0c9a4f1b2e78',
          answer: 'x',
          idempotencyKey: 'taken-over-3',
        },
      ],
      [
        'call',
        {
          operation: 'answerQuestion',
          input: {
            runId: '01938f5a-7c1e-7b62-9d53-0c9a4f1b2e78',
            questionId: '01938f5a-7c1e-7b62-9d53-0c9a4f1b2e77',
            body: { answer: 'x' },
          },
        },
      ],
      [
        'saveArtifact',
        {
          runId: '01938f5a-7c1e-7b62-9d53-0c9a4f1b2e78',
          artifactName: 'x',
          sha256: '0'.repeat(64),
          transferId: '0'.repeat(32),
          file: '/etc/cron.d/x',
        },
      ],
      ['readArtifact', { runId: 'x', artifactName: '../../etc/passwd' }],
      ...['A', 'Enter', 'Shift+A', 'CommandOrControl+C', 'CommandOrControl+Shift+Space', 'MediaPlayPause'].map(
        (shortcut) => ['setPreferences', { ...PREFERENCES, shortcut }] as const,
      ),
      ['setPreferences', { ...PREFERENCES, path: '/tmp/x' }],
      ['snooze', { approvalId: '../x', round: 1, until: 1 }],
      ['setQuiet', { until: 'forever' }],
      [
        'saveDraft',
        {
          approvalId: '01938f5a-7c1e-7b62-9d53-0c9a4f1b2e77',
          round: 1,
          subjectDigest: `sha256:${'0'.repeat(64)}`,
          subject: 'bea',
          form: { act: 'reject', comment: 'x', argumentsText: '' },
        },
      ],
      ['loadDrafts', { subject: 'bea' }],
      ['listUnconfirmed', { subject: 'bea' }],
      ['dismissUnconfirmed', { idempotencyKey: 'key-of-1', serverId: 'x' }],
    ];
    for (const [method, ...inputs] of malformedCalls)
      expect(await call(method, ...inputs), `${method} ${JSON.stringify(inputs)}`).to.match(/^refused: /);
  });

  it('should not vote on an approval that was not displayed, or with another digest or round', async () => {
    // given: two approvals in the list, one of them opened
    const [unopened, opened] = [await maker.createApproval('simple'), await maker.createApproval('simple')];
    await call('call', { operation: 'getApproval', input: { approvalId: opened.approvalId } });
    const vote = (approval: Approval, extraInput: object = {}) =>
      call('vote', {
        approvalId: approval.approvalId,
        round: approval.round,
        subjectDigest: approval.digest,
        decision: 'approve',
        idempotencyKey: 'taken-over-1',
        ...extraInput,
      });
    const otherDigest = `sha256:${'0'.repeat(64)}`;
    // when, then
    expect(await vote(unopened)).to.deep.include({ ok: false, kind: 'refused', code: 'not_shown' });
    expect(await vote(opened, { subjectDigest: otherDigest })).to.deep.include({
      ok: false,
      kind: 'refused',
      code: 'not_as_shown',
    });
    expect(await vote(opened, { round: 2 })).to.deep.include({ ok: false, kind: 'refused', code: 'not_as_shown' });
    expect(await vote(opened, { subjectDigest: unopened.digest })).to.deep.include({
      ok: false,
      kind: 'refused',
      code: 'not_as_shown',
    });
    expect(
      await call('voteTogether', {
        approvals: [{ approvalId: opened.approvalId, round: 1, subjectDigest: otherDigest }],
        idempotencyKey: 'taken-over-2',
      }),
    ).to.deep.include({ ok: false, code: 'not_as_shown' });
    for (const approval of [unopened, opened]) expect((await getCurrentApproval(approval)).votes).to.deep.equal([]);
    // the opened approval can be voted on
    expect(await vote(opened)).to.deep.include({ ok: true });
    expect((await getCurrentApproval(opened)).status).to.equal('approved');
  });

  it('should snooze only waiting approvals, and only for a limited time', async () => {
    const approval = await maker.createApproval('simple');
    const inOneHour = currentTime() + 3_600_000;
    expect(await call('snooze', { approvalId: approval.runId, round: 1, until: inOneHour })).to.equal(false);
    expect(await call('snooze', { approvalId: approval.approvalId, round: 2, until: inOneHour })).to.equal(false);
    expect(await call('snooze', { approvalId: approval.approvalId, round: 1, until: inOneHour * 2 })).to.equal(false);
    expect(await call('snooze', { approvalId: approval.approvalId, round: 1, until: inOneHour })).to.equal(true);
  });

  it('should not answer a question that was not displayed', async () => {
    const answer = {
      questionId: '01938f5a-7c1e-7b62-9d53-0c9a4f1b2e77',
      answer: 'Pay.',
      idempotencyKey: 'taken-over-4',
    };
    expect(await call('answerQuestion', answer)).to.deep.include({
      ok: false,
      kind: 'refused',
      code: 'question_not_shown',
    });
  });

  it('should not delegate or set a substitute unless the person confirms in a system dialog', async () => {
    const approval = await maker.createApproval('simple');
    const asked = await desktop.app.evaluate(({ dialog }) => {
      const details: string[] = [];
      (globalThis as { asked?: string[] }).asked = details;
      dialog.showMessageBox = ((...args: { detail?: string }[]) => {
        details.push(args.at(-1)?.detail ?? '');
        return Promise.resolve({ response: 0, checkboxChecked: false });
      }) as unknown as typeof dialog.showMessageBox;
      return details;
    });
    expect(asked).to.deep.equal([]);
    expect(
      await call('call', {
        operation: 'delegateApproval',
        input: { approvalId: approval.approvalId, body: { to: 'eve' } },
      }),
    ).to.deep.include({ ok: false, kind: 'refused', code: 'declined' });
    const details = (await desktop.app.evaluate(() => (globalThis as { asked?: string[] }).asked)) ?? [];
    expect(details[0]).to.contain('Approve the release').and.to.contain('eve');
    expect((await getCurrentApproval(approval)).delegations).to.deep.equal([]);
    // nor set an absence while the user is away
    const body = { until: isoTimeIn(3_600_000), substitute: 'eve' };
    expect(await call('call', { operation: 'setMyAbsence', input: { body } })).to.deep.include({
      ok: false,
      kind: 'refused',
      code: 'declined',
    });
    for (const operation of ['setAbsence', 'endAbsence'])
      expect(await call('call', { operation, input: { subject: 'bea', body } }), operation).to.match(/^refused: /);
    expect(await call('call', { operation: 'getMyAbsence', input: {} })).to.deep.equal({
      ok: true,
      value: { absence: null },
    });
  });
});
