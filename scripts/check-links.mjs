// Checks that the link targets in Markdown pages exist: files of the repository, and headings in them.
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
function removeCodeBlocks(text) {
  return text.replace(/^(```|~~~).*?^\1/gms, '');
}

/** @param {string} text */
function removeCode(text) {
  return removeCodeBlocks(text).replace(/`[^`\n]*`/g, '');
}

/** Returns the anchors that GitHub generates from the headings of a page. @param {string} text */
function getAnchors(text) {
  const anchors = new Set();
  for (const [, heading = ''] of removeCodeBlocks(text).matchAll(/^#{1,6}\s+(.+)$/gm)) {
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

const brokenLinks = [];
for (const page of pages.filter((path) => existsSync(join(root, path)))) {
  for (const [, target = ''] of removeCode(readFileSync(join(root, page), 'utf8')).matchAll(
    /\]\(([^()\s]+(?:\([^()]*\)[^()\s]*)*)\)/g,
  )) {
    if (/^[a-z][a-z0-9+.-]*:/i.test(target)) continue;
    const [path = '', anchor] = decodeURI(target).split('#');
    const file = path === '' ? page : normalize(join(dirname(page), path));
    if (!existsSync(join(root, file))) brokenLinks.push(`${page}: ${target} (no such file)`);
    else if (anchor && file.endsWith('.md') && !getAnchors(readFileSync(join(root, file), 'utf8')).has(anchor))
      brokenLinks.push(`${page}: ${target} (no such heading)`);
  }
}
if (brokenLinks.length > 0) {
  process.stderr.write(`Broken links:\n${brokenLinks.map((link) => `  ${link}\n`).join('')}`);
  process.exit(1);
}
