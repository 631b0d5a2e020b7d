import type { Client, Setting } from '@countersign/contract';
import { definePlugin, type SettingsTestCheck, SettingsTestContribution } from '@countersign/core/plugin';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { createDigest, ScriptedAgents } from '../http/scripted-agents.spec.support.js';
import { expectProblem } from '../http/http.spec.support.js';
import { createDoor } from '../settings/door.spec.support.js';
import { HOSTILE_MARKUP } from './drawn-model.spec.support.js';
import {
  expectAccessible,
  expectCount,
  hasBrowser,
  launchBrowser,
  openWindow,
  type Window,
} from './web.spec.support.js';

class BellTest implements SettingsTestContribution {
  readonly target = 'bell';
  checks(): readonly SettingsTestCheck[] {
    return [
      { name: 'rings', run: async () => `It rang. ${HOSTILE_MARKUP}` },
      { name: 'is heard', run: () => Promise.reject(Object.assign(new Error('no'), { code: 'EDEAF' })) },
    ];
  }
}
const bellPlugin = definePlugin({
  id: 'bell',
  register({ contribute }) {
    contribute(SettingsTestContribution, BellTest);
  },
});

const OLD_SECRET = 'from the file, long enough';
const NEW_SECRET = 'rotated, and long enough';

(hasBrowser() ? describe : describe.skip)('web: settings', function () {
  this.timeout(60_000);
  const doorPlugin = createDoor();
  const agents = new ScriptedAgents({ writer: () => ({ output: {} }) });
  let countersign: TestHost;
  let browser: Browser;
  let admin: Client;

  before(async () => {
    const configuration = {
      Door: { Sources: [{ Id: 'ci', Secret: OLD_SECRET }], Local: HOSTILE_MARKUP, Token: 'a token of the door' },
    };
    [countersign, browser] = await Promise.all([
      createTestHost({ plugins: [bellPlugin, doorPlugin.plugin, agents.plugin()], configuration }),
      launchBrowser(),
    ]);
    admin = await countersign.client('admin');
  });

  after(async () => {
    await browser?.close();
    await countersign.close();
  });

  async function open(
    path: string,
    role: 'approver' | 'admin' = 'admin',
    colorScheme: 'light' | 'dark' = 'light',
  ): Promise<Window> {
    const window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token(role),
      colorScheme,
    });
    await window.page.goto(countersign.url + path);
    return window;
  }
  const findSetting = async (key: string): Promise<Setting | undefined> =>
    (await admin.getSettings()).items.find((each) => each.key === key);

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`should show the catalogue by section, search it, and reveal no secret (${colorScheme})`, async () => {
      const window = await open('/settings', 'admin', colorScheme);
      const { page } = window;
      await page.getByRole('group', { name: 'Runs:StuckAfter' }).waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: /^Door/ }).click();
      await page.getByRole('group', { name: 'Runs:StuckAfter' }).waitFor({ state: 'detached' });
      expect(page.url()).to.contain('section=Door');
      const text = await page.getByRole('main').innerText();
      expect(text).to.contain('countersignFault').and.contain('Set (hidden)').and.contain('Configuration file');
      expect(await page.content())
        .to.not.contain(OLD_SECRET)
        .and.not.contain('a token of the door');
      expect(await page.getByRole('group', { name: 'Door:Local' }).innerText()).to.contain('Can’t be changed here');
      await page.getByRole('textbox', { name: 'Search' }).fill('stuck progress');
      await page.getByRole('group', { name: 'Runs:StuckAfter' }).waitFor();
      await expectCount(page.getByRole('group', { name: 'Door:Size' }), 0);
      await window.close();
    });
  }

  it('should review changes with old and new values, and save all or none, with an error at each invalid field', async () => {
    const window = await open('/settings');
    const { page } = window;
    const edit = async (key: string, value: string) => {
      await page.getByRole('button', { name: `Edit ${key}`, exact: true }).click();
      await page.getByRole('dialog').getByRole('textbox', { name: 'Value' }).fill(value);
      await page.keyboard.press('Enter');
    };
    // errors that the page detects immediately
    await edit('Runs:StuckAfter', 'soon');
    await page.getByText('Enter a duration, for example PT10M.').waitFor();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('textbox', { name: 'Value' }).fill('PT9M');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // errors that only the server detects
    await edit('Door:Even', '3');
    await page.getByRole('switch', { name: 'Reject replayed bodies' }).focus();
    await page.keyboard.press('Space');
    await page.getByText('3 changes are not saved yet').waitFor();

    await page.getByRole('button', { name: 'Review and save' }).click();
    const review = page.getByRole('dialog', { name: 'Save these changes?' });
    expect(await review.getByRole('row', { name: /Runs:StuckAfter/ }).innerText()).to.match(/PT5M\s+PT9M/);
    expect(await review.getByRole('row', { name: /RejectReplayedBodies/ }).innerText()).to.match(/Off\s+On/);
    await expectAccessible(page);
    await review.getByRole('button', { name: 'Save' }).click();
    await review.getByRole('alert', { name: 'Invalid input' }).waitFor();
    expect(await findSetting('Runs:StuckAfter')).to.include({ source: 'default' });
    await page.keyboard.press('Escape');
    expect(await page.getByRole('group', { name: 'Door:Even' }).getByRole('alert').innerText()).to.contain(
      'Expected an even number',
    );

    await edit('Door:Even', '4');
    await page.getByRole('button', { name: 'Review and save' }).click();
    await review.getByRole('button', { name: 'Save' }).click();
    await page.getByText('3 changes are saved.').waitFor();
    expect(await findSetting('Runs:StuckAfter')).to.include({ source: 'override', value: 'PT9M' });
    expect(await findSetting('Integrations:CodeHost:RejectReplayedBodies')).to.include({ value: true });

    // and reset
    await page.getByRole('button', { name: 'Reset Runs:StuckAfter' }).click();
    await page.getByRole('button', { name: 'Review and save' }).click();
    await review.getByRole('button', { name: 'Save' }).click();
    await page.getByText('1 change is saved.').waitFor();
    expect(await findSetting('Runs:StuckAfter')).to.include({ source: 'default', value: 'PT5M' });
    await window.close();
  });

  it('should undo one unsaved change at its row, and discard all unsaved changes together', async () => {
    // given
    const window = await open('/settings');
    const { page } = window;
    const changeSetting = async (key: string, value: string) => {
      await page.getByRole('button', { name: `Edit ${key}`, exact: true }).click();
      await page.getByRole('dialog').getByRole('textbox', { name: 'Value' }).fill(value);
      await page.keyboard.press('Enter');
      await page.getByRole('group', { name: key }).getByText(value).waitFor();
    };
    await changeSetting('Runs:StuckAfter', 'PT7M');
    await changeSetting('Door:Even', '8');
    await page.getByText('2 changes are not saved yet').waitFor();

    // when: one change is undone
    await page.getByRole('button', { name: 'Undo the change of Runs:StuckAfter' }).click();

    // then: the other change remains
    await page.getByText('1 change is not saved yet').waitFor();
    expect(await page.getByRole('group', { name: 'Runs:StuckAfter' }).innerText())
      .to.contain('PT5M')
      .and.not.contain('PT7M');
    expect(await page.getByRole('group', { name: 'Door:Even' }).innerText()).to.match(/→\s*8/);

    // when: all changes are discarded
    await page.getByRole('switch', { name: 'Reject replayed bodies' }).focus();
    await page.keyboard.press('Space');
    await page.getByText('2 changes are not saved yet').waitFor();
    const settingBefore = await findSetting('Door:Even');
    await page.getByRole('button', { name: 'Discard' }).click();

    // then: no change is left to save, and nothing was saved
    await page.getByRole('button', { name: 'Review and save' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('group', { name: 'Door:Even' }).innerText()).to.not.contain('→');
    await expectCount(page.getByRole('button', { name: /^Undo/ }), 0);
    expect(await findSetting('Door:Even')).to.deep.equal(settingBefore);
    await window.close();
  });

  it('should show only changed settings, also after a reload', async () => {
    // given
    const window = await open('/settings');
    const { page } = window;
    const unchangedSetting = page.getByRole('group', { name: 'Runs:StuckAfter' });
    await unchangedSetting.waitFor();
    const all = await page.getByRole('group', { name: /:/ }).count();

    // when
    await page.getByRole('switch', { name: 'Show only changed settings' }).focus();
    await page.keyboard.press('Space');

    // then: values from the file and saved values are listed
    await unchangedSetting.waitFor({ state: 'detached' });
    const expected = (await admin.getSettings()).items
      .filter(({ source }) => source !== 'default')
      .map(({ key }) => key);
    expect(expected).to.include('Door:Local');
    expect(
      await page
        .getByRole('group', { name: /:/ })
        .evaluateAll((groups) => groups.map((group) => group.getAttribute('aria-label'))),
    ).to.have.members(expected);
    await page.reload();
    await page.getByRole('group', { name: 'Door:Local' }).waitFor();
    await expectCount(unchangedSetting, 0);

    // when: the filter is switched off again
    await page.getByRole('switch', { name: 'Show only changed settings' }).focus();
    await page.keyboard.press('Space');
    await unchangedSetting.waitFor();
    await expectCount(page.getByRole('group', { name: /:/ }), all);
    await window.close();
  });

  it('should rotate a secret after showing how long the previous secret is accepted', async () => {
    const window = await open('/settings?section=Door');
    const { page } = window;
    await page.getByRole('button', { name: 'Rotate Door:Sources:ci:Secret' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('are accepted for 1 d (').waitFor();
    await dialog.getByLabel('New secret').fill(NEW_SECRET);
    await dialog.getByLabel('Repeat the secret').fill('another');
    await dialog.getByText('The two secrets do not match.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Rotate' }).isDisabled()).to.equal(true);
    await expectAccessible(page);
    await dialog.getByLabel('Repeat the secret').fill(NEW_SECRET);
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    await page.getByText('Door:Sources:ci:Secret is rotated.').waitFor();
    expect(doorPlugin.acceptedSecrets()['ci']).to.deep.equal([NEW_SECRET, OLD_SECRET]);
    expect(await page.content()).to.not.contain(NEW_SECRET);
    await window.close();
  });

  it('should run the test of one target, and show the result of each check', async () => {
    const window = await open('/settings?tab=tests');
    const { page } = window;
    await page.getByRole('button', { name: 'Test bell' }).click();
    const checks = page.getByRole('table', { name: 'Checks of bell' });
    expect(await checks.getByRole('row', { name: /is heard/ }).innerText()).to.contain('failed');
    expect(await checks.getByRole('row', { name: /rings/ }).innerText()).to.contain('countersignFault');
    await page.getByRole('region', { name: 'bell' }).getByText('Does not work').waitFor();
    await expectAccessible(page);
    await window.close();
  });

  it('should run the tests of all targets one after the other', async () => {
    // given
    const window = await open('/settings?tab=tests');
    const { page } = window;
    await page.getByRole('button', { name: 'Test bell' }).waitFor();
    const { targets } = await admin.getSettings();
    expect(targets).to.include('bell').and.to.have.length.greaterThan(1);
    const requestedTargets: string[] = [];
    let activeChecks = 0;
    let maxConcurrent = 0;
    await page.route('**/api/settings/tests/*', async (route) => {
      requestedTargets.push(decodeURIComponent(new URL(route.request().url()).pathname.split('/').at(-1) ?? ''));
      activeChecks += 1;
      maxConcurrent = Math.max(maxConcurrent, activeChecks);
      const response = await route.fetch();
      activeChecks -= 1;
      await route.fulfill({ response });
    });

    // when
    await page.getByRole('button', { name: 'Test all' }).click();

    // then
    for (const target of targets) {
      const region = page.getByRole('region', { name: target, exact: true });
      await region.getByText(/^(Works|Does not work)$/).waitFor();
      expect(
        await region
          .getByRole('table', { name: `Checks of ${target}` })
          .getByRole('row')
          .count(),
      ).to.be.greaterThan(1);
    }
    await page.getByRole('region', { name: 'bell' }).getByText('Does not work').waitFor();
    expect(requestedTargets).to.deep.equal(targets);
    expect(maxConcurrent).to.equal(1);
    await expectAccessible(page);
    await window.close();
  });

  it('should list agents and tools, and accept a changed tool after a review', async () => {
    // given
    const offered = {
      description: `Reads a file. ${HOSTILE_MARKUP}`,
      inputSchema: { type: 'object' },
      effect: 'read' as const,
      reversible: true,
      digest: createDigest('2'),
    };
    agents.pins.push({
      name: 'files.read',
      source: 'files',
      accepted: { digest: createDigest('1'), at: 0, by: 'root' },
      offered,
      stopped: { code: 'tool_changed', message: 'It was changed.', since: 1_000 },
    });
    const window = await open('/settings?tab=agents');
    const { page } = window;
    await page
      .getByRole('grid', { name: 'Agents' })
      .getByRole('row', { name: /writer/ })
      .waitFor();
    await page.getByRole('row', { name: /files\.read.*It was changed\./ }).waitFor();
    await expectAccessible(page);

    // when
    await page.getByRole('button', { name: 'Review and accept files.read' }).click();
    const dialog = page.getByRole('dialog', { name: 'Accept files.read as it is now?' });
    await dialog.getByText(createDigest('2')).waitFor();
    await dialog.getByText('Reads a file. <img').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Accept' }).click();

    // then
    await page.getByRole('row', { name: /files\.read.*Agents may call it/ }).waitFor();
    expect(agents.pins[0]).to.deep.include({ stopped: null });
    await window.close();
  });

  it('should list and accept tools from several pages of the API, and render only the visible rows', async () => {
    // given: the stopped tool is the last one in the list
    const before = agents.pins.length;
    const offered = {
      description: '',
      inputSchema: { type: 'object' },
      effect: 'read' as const,
      reversible: true,
      digest: createDigest('2'),
    };
    const pin = { source: 'files', accepted: { digest: createDigest('1'), at: 0, by: 'root' }, offered };
    for (let index = 0; index < 420; index += 1)
      agents.pins.push({ ...pin, name: `many.${String(index).padStart(3, '0')}`, stopped: null });
    agents.pins.push({
      ...pin,
      name: 'zz.last',
      stopped: { code: 'tool_changed', message: 'It was changed.', since: 1_000 },
    });
    const window = await open('/settings?tab=agents');
    const { page } = window;
    const tools = page.getByRole('grid', { name: 'Tools' });

    // then
    await tools.getByRole('row', { name: /zz\.last.*It was changed\./ }).waitFor();
    const all = Number(await tools.getAttribute('aria-rowcount'));
    expect(all).to.be.greaterThan(421);
    expect(await tools.getByRole('row').count()).to.be.lessThan(60);
    await expectAccessible(page);

    // when
    await page.getByRole('button', { name: 'Review and accept zz.last' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click();

    // then: the tool is listed with the others, at the end
    await page.getByText('zz.last is accepted.').waitFor();
    await tools.getByRole('row', { name: /zz\.last/ }).waitFor({ state: 'detached' });
    await tools.getByRole('row').nth(1).focus();
    await page.keyboard.press('End');
    await tools.getByRole('row', { name: /zz\.last.*Agents may call it/ }).waitFor();
    agents.pins.splice(before);
    await window.close();
  });

  it('should allow access to admins only', async () => {
    expect(await expectProblem((await countersign.client('approver')).getSettings())).to.include({ status: 403 });
    const window = await open('/settings', 'approver');
    await window.page.getByRole('alert').waitFor();
    await expectCount(window.page.getByRole('link', { name: 'Settings' }), 0);
    await window.close();
  });
});
