import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@countersign/contract';
import { createTestHost, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { APPROVAL_JOBS, ApprovalMaker } from '../web/approvals.spec.support.js';
import { NativeDialogs } from './dialogs.spec.support.js';
import { deleteUserData, hasElectron, Screen, signIn, startDesktop, type Desktop } from './desktop.spec.support.js';
import { expectCount, holdClock } from '../web/web.spec.support.js';

(hasElectron() ? describe : describe.skip)('desktop: several servers', () => {
  let hosts: readonly TestHost[];
  let screen: Screen;
  let desktop: Desktop;

  before(async () => {
    [screen, ...hosts] = await Promise.all([
      Screen.start(),
      createTestHost({ jobTypes: APPROVAL_JOBS }),
      createTestHost({ jobTypes: APPROVAL_JOBS }),
    ]);
    await (await ApprovalMaker.deployTo(hosts[0]!, 'simple')).createApproval('simple');
    await (await ApprovalMaker.deployTo(hosts[1]!, 'quorum')).createApproval('quorum');
    desktop = await startDesktop({ screen, keychain: true });
  });

  after(async () => {
    await desktop?.close();
    if (desktop !== undefined) deleteUserData(desktop.userData);
    await screen?.stop();
    for (const host of hosts ?? []) await host.close();
  });

  it('should have separate sessions and inboxes, unaffected by the end of a session at another server', async () => {
    // given
    const { page } = desktop;
    const [one, other] = hosts.map(({ url }) => new URL(url).host) as [string, string];
    const menu = () => page.getByRole('button', { name: /^Server:/ });
    const choose = async (name: string): Promise<void> => {
      await menu().click();
      await page.getByRole('menuitem', { name }).click();
    };
    await signIn(desktop, hosts[0]!, 'approver', 'ada');
    await page.getByRole('row', { name: /Approve the release/ }).waitFor();
    await choose('Add server');
    await signIn(desktop, hosts[1]!, 'approver', 'bea');
    await page.getByRole('row', { name: /Approve by two/ }).waitFor();
    await expectCount(page.getByRole('row', { name: /Approve the release/ }), 0);
    // when, then
    await choose(one);
    await page.getByRole('row', { name: /Approve the release/ }).waitFor();
    await page.getByRole('button', { name: 'ada · Approver' }).waitFor();
    await expectCount(page.getByRole('row', { name: /Approve by two/ }), 0);
    // when: the session on this server ends
    const shortToken = await hosts[0]!.token('approver', { subject: 'ada', expiresInSeconds: 1 });
    await page.evaluate(
      (token) =>
        (
          window as unknown as { countersign: { useDevelopmentToken(input: object): Promise<unknown> } }
        ).countersign.useDevelopmentToken({ token }),
      shortToken,
    );
    const sessionEndedDialog = page.getByRole('dialog', { name: 'Your session has ended' });
    while (!(await sessionEndedDialog.isVisible()))
      await page.evaluate(() =>
        (window as unknown as { countersign: { call(input: object): Promise<unknown> } }).countersign.call({
          operation: 'listApprovals',
          input: {},
        }),
      );
    await page.evaluate(async (name) => {
      const { getState, selectServer } = (
        window as unknown as {
          countersign: {
            getState(): Promise<{ servers: { serverId: string; name: string }[] }>;
            selectServer(input: object): Promise<void>;
          };
        }
      ).countersign;
      await selectServer({ serverId: (await getState()).servers.find((server) => server.name === name)?.serverId });
    }, other);
    // then
    await page.getByRole('button', { name: 'bea · Approver' }).waitFor();
    await page.getByRole('row', { name: /Approve by two/ }).waitFor();
  });

  it('should never receive the pending vote of another server, which is discarded only after a prompt', async () => {
    // given: a pending vote
    const { page } = desktop;
    const [one, other] = hosts.map(({ url }) => new URL(url).host) as [string, string];
    const choose = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: /^Server:/ }).click();
      // The clock is stopped, and menus need time to open.
      await page.clock.runFor(500);
      await page.getByRole('menuitem', { name }).click();
      await page.clock.runFor(500);
    };
    const countVotes = async (): Promise<number> => {
      const client = createClient({ baseUrl: hosts[1]!.url, token: await hosts[1]!.token('viewer') });
      return (await client.listApprovals()).items.reduce((sum, { votes }) => sum + votes.length, 0);
    };
    await page.clock.install();
    await page.getByRole('row', { name: /Approve by two/ }).click();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByRole('form', { name: 'Approve' }).waitFor();
    await holdClock(page);
    await page.keyboard.press('Control+Enter');
    await page.getByRole('region', { name: 'Your decisions' }).getByText('sending in').waitFor();

    // when, then
    await choose(one);
    const shownDialog = page.getByRole('dialog', { name: 'Decisions are being sent' });
    await shownDialog.getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('region', { name: 'Your decisions' }).getByText('sending in').waitFor();

    // when
    await choose(one);
    await shownDialog.getByRole('button', { name: 'Discard and leave' }).click();
    await page
      .getByRole('button', { name: /^Server:/ })
      .and(page.locator(`[aria-label*="${one}"]`))
      .waitFor();
    await page.clock.fastForward(6_000);
    await page.clock.resume();
    await choose(other);
    await page.getByRole('row', { name: /Approve by two/ }).waitFor();

    // then
    const metrics = await (
      await fetch(`${hosts[0]!.url}/metrics`, {
        headers: { authorization: `Bearer ${await hosts[0]!.token('admin')}` },
      })
    ).text();
    expect(metrics)
      .to.contain('/api/approvals')
      .and.not.match(/\/api\/approvals\/[^"]*decision/);
    expect(await countVotes()).to.equal(0);
  });

  it('should be forgotten only after the person confirms the losses in a system dialog', async () => {
    // given: both servers are known, and bea is signed in on the displayed one
    const { page, userData } = desktop;
    const dialogs = await NativeDialogs.interceptDialogs(desktop.app);
    const choose = async (): Promise<void> => {
      await page.getByRole('button', { name: /^Server:/ }).click();
      await page.getByRole('menuitem', { name: 'Forget this server…' }).click();
    };
    const servers = () =>
      page.evaluate(() =>
        (
          window as unknown as {
            countersign: {
              getState(): Promise<{ servers: { serverId: string; url: string }[]; activeServerId: string }>;
            };
          }
        ).countersign.getState(),
      );
    const before = await servers();
    expect(before.servers).to.have.length(2);
    const cachePath = join(userData, 'offline', before.activeServerId);
    await waitUntil('the cache of the server is written', () => existsSync(cachePath));
    // when
    await dialogs.respondWith(false);
    await choose();
    await page.evaluate(async () => {
      const { removeServer, getState } = (
        window as unknown as {
          countersign: { removeServer(input: object): Promise<void>; getState(): Promise<{ activeServerId: string }> };
        }
      ).countersign;
      await removeServer({ serverId: (await getState()).activeServerId });
    });
    // then
    const [shownDialog, scriptedDialog] = await dialogs.takeShownDialogs();
    expect(shownDialog).to.deep.include({
      message: 'Forget this server?',
      buttons: ['Cancel', 'Forget the server'],
      defaultId: 0,
    });
    expect(shownDialog?.detail)
      .to.contain('signing key')
      .and.contain('drafts')
      .and.contain('snoozed')
      .and.contain(hosts[1]?.url);
    expect(scriptedDialog).to.deep.equal(shownDialog);
    expect(await servers()).to.deep.equal(before);
    await page.getByRole('button', { name: 'bea · Approver' }).waitFor();
    // when
    await dialogs.respondWith(true);
    await choose();
    // then
    await page
      .getByRole('button', { name: `Server: ${new URL(hosts[0]!.url).host}` })
      .or(page.getByRole('heading', { name: /^Sign in to/ }))
      .first()
      .waitFor();
    expect((await servers()).servers.map(({ url }) => url)).to.deep.equal([hosts[0]?.url]);
    expect(existsSync(cachePath)).to.equal(false);
  });
});
