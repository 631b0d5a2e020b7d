import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { ESLint } from 'eslint';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const WEB_FILE = 'packages/web/src/runs/sample.tsx';

const REFUSED_CODE = [
  '<p>Runs</p>',
  '<p>{"Runs"}</p>',
  "<>{many ? 'Runs' : 'Run'}</>",
  '<p>{`${n} runs`}</p>',
  '<p>{n > 0 && "some"}</p>',
  '<Button title="Cancel" />',
  '<input placeholder={`of ${n}`} />',
  '<div aria-label={many ? "all" : one} />',
  '[{ key: "name", header: "Name" }]',
  'notify({ message: "Done" })',
  'say("just now")',
  'say(`${n} of them are left`)',
  'const words = "It failed."',
];
const ALLOWED_CODE = [
  '<p>{texts.runs.title}</p>',
  '<p>· {n}…</p>',
  '<Button size="xs" title={texts.app.cancel} className={open ? "cs-row cs-row-open" : "cs-row"} />',
  '<p style={{ width: "min(320px, calc(100vw - 24px))" }}>{kind === "done" && texts.done}</p>',
  '<a rel="noopener noreferrer" href={`/runs/${id}`} />',
  'element.closest("a, button, input")',
  'throw new TypeError("A vote names the digest that was shown.")',
  '[{ key: "name", header: texts.name, width: "minmax(140px, 2fr)" }]',
];

describe('web: linter rule for UI texts', function () {
  this.timeout(60_000);
  const eslint = new ESLint({ cwd: ROOT });
  async function isRefused(code: string, path = WEB_FILE): Promise<boolean> {
    const [result] = await eslint.lintText(`${code};\n`, { filePath: join(ROOT, path) });
    return result!.messages.some(
      ({ ruleId, message }) => ruleId === 'no-restricted-syntax' && message.includes('catalogue'),
    );
  }

  it('should refuse UI texts outside the catalogue', async () => {
    for (const code of REFUSED_CODE) expect(await isRefused(code), code).to.equal(true);
    expect(await isRefused(REFUSED_CODE[0]!, 'packages/inbox-ui/src/inbox/sample.tsx')).to.equal(true);
    expect(await isRefused(REFUSED_CODE[0]!, 'packages/desktop/src/renderer/inbox/sample.tsx')).to.equal(true);
  });

  it('should accept strings that are not UI texts, and texts in the catalogue', async () => {
    for (const code of ALLOWED_CODE) expect(await isRefused(code), code).to.equal(false);
    for (const name of ['inbox-ui', 'web'])
      expect(
        await isRefused(
          'export const sample = { title: "Runs", hint: "All of them are here." }',
          `packages/${name}/src/texts/en/sample.ts`,
        ),
      ).to.equal(false);
  });
});
