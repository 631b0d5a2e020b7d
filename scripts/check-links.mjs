// Whether what Markdown pages link to is there: files of the repository, and headings in them.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n');

/** @param {string} text */
function withoutCodeBlocks(text) {
  return text.replace(/^(```|~~~).*?^\1/gms, '');
}

/** @param {string} text */
function withoutCode(text) {
  return withoutCodeBlocks(text).replace(/`[^`\n]*`/g, '');
}

/** The anchors of a page, as GitHub makes them of its headings. @param {string} text */
function anchorsOf(text) {
  const anchors = new Set();
  for (const [, heading = ''] of withoutCodeBlocks(text).matchAll(/^#{1,6}\s+(.+)$/gm)) {
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
      .replace(/\s/g, '-');
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

const broken = [];
for (const page of pages.filter((each) => existsSync(join(root, each)))) {
  for (const [, target = ''] of withoutCode(readFileSync(join(root, page), 'utf8')).matchAll(
    /\]\(([^()\s]+(?:\([^()]*\)[^()\s]*)*)\)/g,
  )) {
    if (/^[a-z][a-z0-9+.-]*:/i.test(target)) continue;
    const [path = '', anchor] = decodeURI(target).split('#');
    const file = path === '' ? page : normalize(join(dirname(page), path));
    if (!existsSync(join(root, file))) broken.push(`${page}: ${target} (no such file)`);
    else if (anchor && file.endsWith('.md') && !anchorsOf(readFileSync(join(root, file), 'utf8')).has(anchor))
      broken.push(`${page}: ${target} (no such heading)`);
  }
}
if (broken.length > 0) {
  process.stderr.write(`Links that lead nowhere:\n${broken.map((each) => `  ${each}\n`).join('')}`);
  process.exit(1);
}
