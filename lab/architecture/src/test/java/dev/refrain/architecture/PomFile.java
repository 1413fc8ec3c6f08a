package dev.refrain.architecture;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** A POM of this build. */
record PomFile(Document document) {

    /** @param folder of the module, from the root of the build */
    static PomFile of(String folder) throws Exception {
        var file = Path.of("../..", folder, "pom.xml").toFile();
        return new PomFile(
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file));
    }

    List<String> modules() throws XPathExpressionException {
        return texts("/project/modules/module");
    }

    /** Returns the artifacts that users of the module get as well, those of profiles included. */
    List<String> dependenciesOutsideTests() throws XPathExpressionException {
        return texts("//dependency[not(ancestor::dependencyManagement)][not(scope = 'test')]/artifactId");
    }

    /** Returns all artifacts that are built or fetched before the module, those of its tests included. */
    List<String> dependencies() throws XPathExpressionException {
        return texts("//dependency[not(ancestor::dependencyManagement)]/artifactId");
    }

    String artifact() throws XPathExpressionException {
        return texts("/project/artifactId").getFirst();
    }

    List<String> managedArtifacts() throws XPathExpressionException {
        return texts("/project/dependencyManagement/dependencies/dependency/artifactId");
    }

    boolean isPublished() throws XPathExpressionException {
        return texts("/project/properties/*[name() = 'maven.deploy.skip' or name() = 'maven.install.skip'][. = 'true']")
                        .size()
                < 2;
    }

    /** Returns what the module's jar is called on the module path; empty where there is no jar. */
    Optional<String> moduleName() throws XPathExpressionException {
        return texts("/project/properties/refrain.module.name").stream().findFirst();
    }

    private List<String> texts(String path) throws XPathExpressionException {
        var nodes = (NodeList) XPathFactory.newInstance().newXPath().evaluate(path, document, XPathConstants.NODESET);
        return IntStream.range(0, nodes.getLength())
                .mapToObj(i -> nodes.item(i).getTextContent().strip())
                .toList();
    }
}
