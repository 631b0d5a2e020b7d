// Runs in the main process of Electron before the application (`-r`): reports on standard output when the inbox was
// first painted, and when the effect of the key for the next approval was painted. Times are in ms since the epoch.
const { app } = require('electron');

const painted = (condition) => `new Promise((resolve) => {
  const look = () => (${condition}) ? requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()))) : requestAnimationFrame(look);
  look();
})`;

app.on('web-contents-created', (_event, contents) => {
  contents.once('dom-ready', async () => {
    const rowsAt = await contents.executeJavaScript(painted(`document.querySelector('.cs-inbox-item') !== null`));
    contents.focus();
    for (const type of ['keyDown', 'char', 'keyUp']) contents.sendInputEvent({ type, keyCode: 'j' });
    const keyAt = await contents.executeJavaScript(
      painted(
        `document.querySelector('.cs-inbox-item[aria-current="true"]') !== null && document.querySelector('.cs-decision h2') !== null`,
      ),
    );
    process.stdout.write(`${JSON.stringify({ rowsAt, keyAt })}\n`);
  });
});
