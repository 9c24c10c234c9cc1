// What is typed goes to the application without a click. What is too large for one message is not sent, and says so;
// why the page was closed is shown.
const most = 65536;
let hiding = 0;

function tell(words) {
  const note = document.querySelector("#note");
  note.textContent = words;
  note.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => { note.hidden = true; }, 15000);
}

window.WebSocket = class extends WebSocket {
  constructor(...given) {
    super(...given);
    this.addEventListener("close", (closed) => {
      if (closed.reason) document.querySelector("#why").textContent = closed.reason;
    });
  }

  send(message) {
    if (new TextEncoder().encode(message).length <= most) super.send(message);
    else tell("This is longer than 64 kB, and was not sent. Paste it in parts, or begin with a file: workbench run --goal-file FILE");
  }
};

addEventListener("load", () => {
  const look = new MutationObserver(() => {
    const field = document.querySelector("textarea");
    if (field && document.body.classList.contains("-first-byte")) { look.disconnect(); field.focus(); }
  });
  look.observe(document.body, { attributes: true, childList: true, subtree: true });
});
