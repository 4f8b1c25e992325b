"use strict";

(function () {
  const root = document.getElementById("swagger-ui");
  const settings = JSON.parse(root.dataset.settings);

  // Swagger UI has dark colours, which the class turns on.
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const colour = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", colour);
  colour();

  window.ui = SwaggerUIBundle({
    deepLinking: true,
    validatorUrl: null,
    ...settings.parameters,
    url: settings.url,
    dom_id: "#swagger-ui",
    oauth2RedirectUrl: new URL(settings.redirect, document.baseURI).href,
    queryConfigEnabled: false,
  });
  if (settings.oauth) {
    window.ui.initOAuth(settings.oauth);
  }
})();
