// Refreshes the page's sections in place, so that the reader keeps the place, selections and open menus.
(function () {
  "use strict";
  var INTERVAL_MILLIS = 2000;
  var KEY = "gpusched-refresh";
  var root = document.getElementById("gpusched");
  var box = document.getElementById("gs-refresh");
  if (!root || !box || root.dataset.live !== "true") {
    return;
  }
  box.checked = localStorage.getItem(KEY) !== "off";
  box.addEventListener("change", function () {
    localStorage.setItem(KEY, box.checked ? "on" : "off");
  });

  function isBusy(section) {
    // What the reader types into or has marked stays as it is.
    var active = document.activeElement;
    if (active && active.tagName === "INPUT" && section.contains(active)) {
      return true;
    }
    var selection = document.getSelection();
    return !!selection && !selection.isCollapsed && section.contains(selection.anchorNode);
  }

  function put(page) {
    root.querySelectorAll("section").forEach(function (section) {
      var fresh = page.getElementById(section.id);
      if (!fresh || isBusy(section) || fresh.innerHTML === section.innerHTML) {
        return;
      }
      var scrolled = Array.from(section.querySelectorAll(".gs-scroll"), function (e) { return e.scrollLeft; });
      section.replaceChildren.apply(section, Array.from(fresh.childNodes));
      section.querySelectorAll(".gs-scroll").forEach(function (e, i) { e.scrollLeft = scrolled[i] || 0; });
    });
  }

  function refresh() {
    if (!box.checked || document.hidden) {
      setTimeout(refresh, INTERVAL_MILLIS);
      return;
    }
    fetch(location.pathname + location.search, { credentials: "same-origin" })
      .then(function (answer) {
        if (!answer.ok) {
          throw new Error(String(answer.status));
        }
        return answer.text();
      })
      .then(function (text) {
        put(new DOMParser().parseFromString(text, "text/html"));
        root.classList.remove("gs-stale");
        root.dataset.refreshed = new Date().toISOString();
      })
      .catch(function () {
        root.classList.add("gs-stale"); // the application has ended, or the network has
      })
      .finally(function () {
        setTimeout(refresh, INTERVAL_MILLIS);
      });
  }
  setTimeout(refresh, INTERVAL_MILLIS);
})();
