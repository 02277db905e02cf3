# kzui from source:
#   nix run "git+https://ADDRESS-OF-THE-REPOSITORY?dir=assets/packaging"
{
  description = "Terminal workbench for Kustomize";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { nixpkgs, ... }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      manifest = builtins.fromTOML (builtins.readFile ../../Cargo.toml);
    in
    {
      packages = nixpkgs.lib.genAttrs systems (
        system:
        let
          pkgs = nixpkgs.legacyPackages.${system};
        in
        {
          default = pkgs.rustPlatform.buildRustPackage {
            pname = "kzui";
            version = manifest.workspace.package.version;
            src = ../..;
            cargoLock.lockFile = ../../Cargo.lock;
            buildType = "shipping";
            cargoBuildFlags = [ "-p" "kzui" "-p" "kzui-starlark" ];
            # They need git, kubectl and helm, and run with `cargo test`.
            doCheck = false;
            nativeBuildInputs = [ pkgs.installShellFiles ];
            postInstall = ''
              ln -s kzui $out/bin/kubectl-kzui
              install -m755 assets/packaging/kubectl_complete-kzui -t $out/bin
              $out/bin/kzui man man
              installManPage man/*.1
              installShellCompletion --cmd kzui \
                --bash assets/packaging/completions/kzui.bash \
                --zsh assets/packaging/completions/_kzui \
                --fish assets/packaging/completions/kzui.fish
            '';
            meta = {
              description = "Terminal workbench for Kustomize";
              mainProgram = "kzui";
            };
          };
        }
      );
    };
}
