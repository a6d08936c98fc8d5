/** Script of a report, which works without it: opens details for printing, and adds buttons that copy commands. */
export const SCRIPT = `
(function () {
  var opened = [];
  addEventListener('beforeprint', function () {
    opened = opened.concat(Array.from(document.querySelectorAll('details[data-print]:not([open])')));
    opened.forEach(function (element) { element.open = true; });
  });
  addEventListener('afterprint', function () {
    opened.forEach(function (element) { element.open = false; });
    opened = [];
  });
  if (!navigator.clipboard) return;
  document.querySelectorAll('#rerun ~ pre').forEach(function (block) {
    var button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', function () {
      navigator.clipboard.writeText(block.textContent).then(function () { button.textContent = 'Copied'; });
    });
    block.before(button);
  });
})();
`;
