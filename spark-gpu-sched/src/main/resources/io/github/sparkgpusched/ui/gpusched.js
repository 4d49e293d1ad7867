// Refreshes the page in place, so that the reader keeps the place, the focus, selections and open menus; and shows where
// a table goes on beyond the window.
(function () {
  "use strict";
  var INTERVAL_MILLIS = 2000;
  var KEY = "gpusched-refresh";
  var root = document.getElementById("gpusched");
  if (!root) {
    return;
  }

  // ---- where a table goes on

  function showMore() {
    root.querySelectorAll(".gs-scroll").forEach(function (area) {
      area.classList.toggle("gs-more", area.scrollLeft + area.clientWidth < area.scrollWidth - 2);
    });
  }
  root.addEventListener("scroll", showMore, true);
  window.addEventListener("resize", showMore);
  showMore();

  // ---- a range of time, chosen by dragging over lanes (by keyboard: the links "zoom in" and so on)

  var brush = null;

  function lanesOf(event) {
    var svg = event.target.closest && event.target.closest("svg.gs-timeline");
    return svg && root.contains(svg) ? svg : null;
  }

  function drawBrush(x) {
    var from = Math.min(brush.x, x);
    brush.mark.style.left = from - brush.box.left + "px";
    brush.mark.style.width = Math.abs(x - brush.x) + "px";
  }

  function micros(x) {
    var lanes = document.querySelector(".gs-lanes");
    var from = Number(lanes.dataset.from);
    var part = Math.max(0, Math.min(1, (x - brush.svg.left) / brush.svg.width));
    return Math.round(from + part * (Number(lanes.dataset.until) - from));
  }

  root.addEventListener("pointerdown", function (event) {
    var svg = event.button === 0 && lanesOf(event);
    if (!svg) {
      return;
    }
    var lanes = svg.closest(".gs-lanes");
    brush = { x: event.clientX, svg: svg.getBoundingClientRect(), box: lanes.getBoundingClientRect(),
      mark: document.createElement("div") };
    brush.mark.className = "gs-brush";
    lanes.append(brush.mark);
  });
  root.addEventListener("dragstart", function (event) {
    if (lanesOf(event)) {
      event.preventDefault(); // a block is a link; dragging over it chooses a range
    }
  });
  window.addEventListener("pointermove", function (event) {
    if (brush) {
      drawBrush(event.clientX);
    }
  });
  function endBrush() {
    if (brush) {
      brush.mark.remove();
      brush = null;
    }
  }
  // Of a touch that the browser takes for scrolling nothing more is heard.
  window.addEventListener("pointercancel", endBrush);
  window.addEventListener("pointerup", function (event) {
    if (!brush) {
      return;
    }
    var range = [micros(brush.x), micros(event.clientX)].sort(function (a, b) { return a - b; });
    var dragged = Math.abs(event.clientX - brush.x) > 5 && range[1] > range[0];
    endBrush();
    if (dragged) {
      root.addEventListener("click", function (click) { click.preventDefault(); }, { capture: true, once: true });
      var query = new URLSearchParams(location.search);
      query.set("timeline.from", range[0]);
      query.set("timeline.until", range[1]);
      location.assign(location.pathname + "?" + query + "#timeline");
    }
  });

  // ---- refresh

  var box = document.getElementById("gs-refresh");
  var status = document.getElementById("gs-status");
  if (!box || root.dataset.live !== "true") {
    return;
  }
  box.checked = localStorage.getItem(KEY) !== "off";
  box.addEventListener("change", function () {
    localStorage.setItem(KEY, box.checked ? "on" : "off");
  });

  // Makes a node what a fresh one is, and keeps it and what is in it: who has the focus, keeps it.
  function patch(old, fresh) {
    if (old.isEqualNode(fresh)) {
      return;
    }
    if (old.nodeName !== fresh.nodeName) {
      old.replaceWith(fresh);
      return;
    }
    if (old.nodeType !== Node.ELEMENT_NODE) {
      old.nodeValue = fresh.nodeValue;
      return;
    }
    patchAttributes(old, fresh);
    var chosen = old.nodeName === "SELECT" ? old.value : null;
    var now = Array.from(old.childNodes);
    var wanted = Array.from(fresh.childNodes);
    wanted.forEach(function (child, i) {
      if (i < now.length) {
        patch(now[i], child);
      } else {
        old.append(child);
      }
    });
    now.slice(wanted.length).forEach(function (gone) {
      gone.remove();
    });
    // What the reader has chosen is by its text, not by its place.
    if (chosen !== null && Array.from(old.options).some(function (option) { return option.value === chosen; })) {
      old.value = chosen;
    }
  }

  function patchAttributes(old, fresh) {
    Array.from(old.attributes).forEach(function (attribute) {
      // Whether a fold is open is the reader's.
      if (!fresh.hasAttribute(attribute.name) && attribute.name !== "open") {
        old.removeAttribute(attribute.name);
      }
    });
    Array.from(fresh.attributes).forEach(function (attribute) {
      if (attribute.name !== "open" && old.getAttribute(attribute.name) !== attribute.value) {
        old.setAttribute(attribute.name, attribute.value);
      }
    });
  }

  function isSelected(section) {
    var selection = document.getSelection();
    return !!selection && !selection.isCollapsed && section.contains(selection.anchorNode);
  }

  function put(page) {
    root.querySelectorAll("section").forEach(function (section) {
      var fresh = page.getElementById(section.id);
      if (fresh && !isSelected(section) && !brush) {
        patch(section, fresh);
      }
    });
    showMore();
  }

  // ---- an application that does not answer

  function clock() {
    return new Date().toTimeString().substring(0, 8);
  }

  function lost() {
    if (!root.classList.contains("gs-stale")) {
      root.classList.add("gs-stale");
      status.textContent = "Disconnected since " + clock() + ": the application does not answer: it has ended, or the"
        + " network has. This page shows what was then.";
    }
  }

  function found() {
    if (root.classList.contains("gs-stale")) {
      root.classList.remove("gs-stale");
      status.textContent = "Connected again at " + clock() + ".";
    }
    root.dataset.refreshed = new Date().toISOString();
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
        var page = new DOMParser().parseFromString(text, "text/html");
        var fresh = page.getElementById("gpusched");
        if (!fresh || fresh.dataset.application !== root.dataset.application) {
          throw new Error("another application has this address now");
        }
        put(page);
        found();
      })
      .catch(lost)
      .finally(function () {
        setTimeout(refresh, INTERVAL_MILLIS);
      });
  }
  setTimeout(refresh, INTERVAL_MILLIS);
})();
