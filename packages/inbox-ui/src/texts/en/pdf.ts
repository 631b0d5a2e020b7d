import { formatCount } from '../format-count.js';

export const pdf = {
  pages: (n: number) => formatCount(n, 'page', 'pages'),
  page: (n: number, total: number) => `Page ${n} of ${total}`,
  readableText: {
    none: (page: string) => `${page}, an image without text`,
    part: (page: string) =>
      `${page}. Not all of its text can be selected or read aloud. Download the file for the rest.`,
  },
  zoom: 'Zoom',
  fit: 'Fit',
  enlarged: (percent: number) => `${percent} %`,
  notShown: 'What is not displayed',
  attachments: (n: number) =>
    `It contains ${formatCount(n, 'attachment that is', 'attachments that are')} not displayed and ${n === 1 ? 'does' : 'do'} not count as shown.`,
  hiddenLayers: (n: number) =>
    `It contains ${formatCount(n, 'hidden layer', 'hidden layers')}, which ${n === 1 ? 'is' : 'are'} not displayed and ${n === 1 ? 'does' : 'do'} not count as shown.`,
  annotations: (n: number) =>
    `It contains ${formatCount(n, 'annotation', 'annotations')} with texts, files or media that are not displayed and do not count as shown.`,
  dynamicForm: 'It contains a dynamic form (XFA), which is not displayed and does not count as shown.',
  scripts: 'It contains scripts, which are not executed. In another program, it may look different.',
  omittedPages: (from: number, total: number) =>
    from === total
      ? `Page ${total} of ${total} is not displayed and does not count as shown. Download the file to view it.`
      : `Pages ${from} to ${total} of ${total} are not displayed and do not count as shown. Download the file to view them.`,
  failedPage: (n: number, isSlow: boolean) =>
    `Page ${n} ${isSlow ? 'takes too long to draw' : 'cannot be displayed'}, so it does not count as shown. Download the file to view it.`,
  incompletePage: (n: number) =>
    `Page ${n} has errors, so parts of it may be missing. It does not count as shown. Download the file to view it.`,
  failure: {
    password: 'This PDF is protected by a password, so it can’t be shown here. Download it to view it.',
    damaged: 'This PDF is damaged, so it can’t be shown here. Download it to view it.',
    slow: 'This PDF takes too long to open, so it can’t be shown here. Download it to view it.',
  },
  notLoaded: 'The PDF view could not be loaded. Try again, or download the file.',
};
